import { StandinError } from "../../base/errors.ts";

export const OUT_OF_REACH = "Only a server of Node sends webhooks: it checks the address that it connects to.";

/** `fetch` would connect to whatever address a name has. */
export function expectSender(): void {
  throw new StandinError("OPTION_UNAVAILABLE", OUT_OF_REACH);
}
