import { StandinError } from "../../base/errors.ts";

/** The compiler of rules is a third of a worker's size. */
export function readRecordRules(): never {
  throw new StandinError(
    "OPTION_UNAVAILABLE",
    'The option "rules" is not available in a worker. Leave it out, or use standin/fetch in the page.',
  );
}

export function openRules(): never {
  return readRecordRules();
}
