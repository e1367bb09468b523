import { StandinError } from "../../../base/errors.ts";

/** A page has no use for C#. */
export function csharpOf(): never {
  throw new StandinError("OPTION_UNAVAILABLE", "Only a server writes types for C#, not a worker.");
}
