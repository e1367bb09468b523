import { StandinError } from "../../base/errors.ts";

export const MAX_EXAMPLES = 0;

/** Only pages reach a worker, and no agents. */
export function apiGuide(): never {
  throw new StandinError("OPTION_UNAVAILABLE", "Only a server writes llms.txt, not a worker.");
}
