import { StartError } from "../base/errors.ts";
import { maskText } from "../base/secrets/mask-text.ts";
import { readCollections } from "../config/collections.ts";
import { resolveClientOptions } from "../config/commands/client-options.ts";
import { CLIENT_MARK, type ClientData } from "../features/description/client/client-data.ts";
import { csharpClient, expectNamespace } from "../features/description/client/csharp-client.ts";
import { typescriptClient } from "../features/description/client/typescript-client.ts";
import { plain } from "../features/description/types/remark.ts";
import { refuseDocument } from "../features/openapi-source/served-source.ts";
import { withoutPassword } from "../store/sources/source-kind.ts";
import { describeSource } from "./describe-source.ts";
import { clientHelp } from "./help.ts";
import { createTerminal } from "./terminal.ts";
import { writeMadeFiles } from "./write-made-files.ts";

/** `standin client [source]`: writes a typed client for the data, in TypeScript or C#. */
export async function client(argv: readonly string[]): Promise<void> {
  const terminal = createTerminal();
  const { options, words } = resolveClientOptions(argv, process.cwd());
  if (options.help) return terminal.print(clientHelp());
  const { lang, namespace } = options;
  const [source = options.source, ...extra] = words;
  if (extra.length > 0) throw new StartError(`client reads one source, but was given ${words.length}.`);
  refuseDocument(source, "client");
  expectNamespace(namespace);
  const data: ClientData = {
    types: await describeSource(source, options, terminal),
    settings: readCollections(options.collections, options.id, "the config file"),
    source: plain(withoutPassword(source)),
    command: commandOf(argv),
  };
  const text = lang === "csharp" ? csharpClient(data, namespace) : typescriptClient(data);
  const made = { files: new Map([["", `${text}\n`]]), command: "standin client", mark: CLIENT_MARK };
  await writeMadeFiles(made, options, terminal);
}

/** The command as it was typed, for the first line of the client. */
function commandOf(argv: readonly string[]): string {
  const words = argv.map((word) => plain(maskText(withoutPassword(word))));
  return [
    "standin client",
    ...words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word))),
  ].join(" ");
}
