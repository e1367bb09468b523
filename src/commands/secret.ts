import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { StartError } from "../base/errors.ts";
import type { OptionTable } from "../base/option.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { hashPassword } from "../layers/password.ts";
import { defineCommand } from "./define-command.ts";

const OPTIONS = {
  prefix: {
    name: "prefix",
    type: "string",
    default: "key",
    placeholder: "<text>",
    help: "Prefix of the API key; csharp marks a .NET client",
    only: "flag",
  },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** `standin secret password | api-key | token`: generates secrets for the settings of the guarding layers. */
export const secretCommand = defineCommand({
  name: "secret",
  usage: "password|api-key|token",
  summary: "generate secrets for the authentication layers",
  help: [
    "standin secret password   hash the password on standard input, for layers.signed-token.users",
    "standin secret api-key    generate a key for layers.api-key.keys",
    "standin secret token      generate a secret for layers.signed-token.secret, or a token for layers.bearer.token",
  ],
  examples: ["echo 'my password' | standin secret password"],
  options: OPTIONS,
  reference: { heading: "secret password | api-key | token" },
  async run({ options, words, terminal }) {
    if (!/^[a-zA-Z0-9-]{1,17}$/.test(options.prefix)) {
      throw new StartError(`--prefix ${options.prefix}: a prefix has 1 to 17 letters, digits and dashes.`);
    }
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
  },
});

/** Reads from standard input: other users of the machine can see command lines. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write("Password (shown as you type): ");
  for await (const line of createInterface({ input: process.stdin })) {
    if (line !== "") return line;
    break;
  }
  throw new StartError("No password on standard input. Try: echo 'my password' | standin secret password");
}
