import { StandinError } from "../../base/errors.ts";

/** Few rules have many wildcards, and few paths are so long: a worker has no engine for both. */
export function linearMatch(): never {
  throw new StandinError("PATH_MALFORMED", "The path is too long for the rewrite rules of a worker.");
}
