import { StandinError } from "../../base/errors.ts";

/** Readers of version 3.0 are tools, which ask servers. */
export function asVersion30(): never {
  throw new StandinError("OPTION_UNAVAILABLE", "A worker describes the API in version 3.1 only.");
}
