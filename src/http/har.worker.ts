import { StandinError } from "../base/errors.ts";

export function writeHar(): never {
  throw new StandinError("OPTION_UNAVAILABLE", "Only a server writes HTTP archives, not a worker.");
}
