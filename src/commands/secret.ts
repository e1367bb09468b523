import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { StartError } from "../base/errors.ts";
import { resolveSecretOptions } from "../config/commands/secret-options.ts";
import { hashPassword } from "../layers/password.ts";
import { secretHelp } from "./help.ts";
import { createTerminal } from "./terminal.ts";

/** `standin secret password | api-key | token`: generates secrets for the settings of the guarding layers. */
export async function secret(argv: readonly string[]): Promise<void> {
  const terminal = createTerminal();
  const { options, words } = resolveSecretOptions(argv);
  if (options.help) return terminal.print(secretHelp());
  const [kind, ...extra] = words;
  if (extra.length > 0) throw new StartError("secret takes one argument: password, api-key or token.");
  switch (kind) {
    case "password":
      return terminal.print(await hashPassword(await readPassword()));
    case "api-key":
      return terminal.print(`${options.prefix}-${randomBytes(16).toString("hex")}`);
    case "token":
      return terminal.print(randomBytes(32).toString("base64url"));
    default:
      throw new StartError(`secret needs password, api-key or token, but was given ${kind ?? "nothing"}.`);
  }
}

/** Reads from standard input: other users of the machine can see command lines. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write("Password (shown as you type): ");
  for await (const line of createInterface({ input: process.stdin })) {
    if (line !== "") return line;
    break;
  }
  throw new StartError("No password on standard input. Try: echo 'my password' | standin secret password");
}
