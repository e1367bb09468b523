import type { Call } from "../../http/call.ts";
import type { LayerTools } from "../../layers/layer.ts";
import { hashPasswordAtOnce, verifyPassword } from "../../layers/password.ts";
import { createLoginCheck } from "../../layers/wrong-logins.ts";
import type { IssuedUser } from "./sign-in-users.ts";

/** Resolves to whether the password is that of the user; throws when an address has guessed too often. */
export type LoginCheck = (call: Call, user: IssuedUser | undefined, password: string) => Promise<boolean>;

/** More than tests need in a minute, and too few to guess a password. */
const MAX_WRONG = 50;

/** An unknown user costs the same work as a wrong password, so that the time tells nothing. */
export function createPasswordCheck(tools: Pick<LayerTools, "now">): LoginCheck {
  const inTurn = createLoginCheck(MAX_WRONG, tools, "");
  let decoy: string | undefined;
  return async (call, user, password) => {
    if (user && user.password === undefined) return true;
    try {
      await inTurn(call, NO_RESPONSE, async () => {
        decoy ??= hashPasswordAtOnce("");
        const isRight = await verifyPassword(password, user?.password ?? decoy);
        if (!(user && isRight)) throw new WrongPassword();
      });
      return true;
    } catch (thrown) {
      if (thrown instanceof WrongPassword) return false;
      throw thrown;
    }
  };
}

class WrongPassword extends Error {}

/** The check of logins sets no headers of its own. */
const NO_RESPONSE = { setHeader: () => undefined, hasHeader: () => false, reply: () => {} };
