import { StandinError } from "../../base/errors.ts";

/** The issuer keeps keys in files and sessions in cookies, which a page or a worker does not have. */
export async function openSignIn(): Promise<never> {
  throw new StandinError("OPTION_UNAVAILABLE", 'The layer "sign-in" needs a server of its own. Use "bearer" here.');
}
