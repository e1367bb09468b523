import { StandinError } from "../../../base/errors.ts";

/** The texts of made-up values would be larger than the rest of a worker. */
export function createValueMaker(): never {
  throw new StandinError("OPTION_UNAVAILABLE", "A worker cannot make up values: compute them without random.");
}
