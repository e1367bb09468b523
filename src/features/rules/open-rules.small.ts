import { StandinError } from "../../base/errors.ts";

/** Rules need the engine of patterns, which the small worker does not have. */
export function readRecordRules(): never {
  throw new StandinError("OPTION_UNAVAILABLE", 'The option "rules" needs the whole worker: import "standin/worker".');
}

export function openRules(): never {
  return readRecordRules();
}
