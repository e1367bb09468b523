import { readFileSync, statSync } from "node:fs";
import { writeAtomically } from "../atomic-write.ts";
import { readCollections } from "../config/collections.ts";
import { resolveClientOptions } from "../config/commands/client-options.ts";
import { messageOf, StartError } from "../errors.ts";
import { type ClientData, MADE_BY } from "../features/description/client/client-data.ts";
import { csharpClient, expectNamespace } from "../features/description/client/csharp-client.ts";
import { typescriptClient } from "../features/description/client/typescript-client.ts";
import { plain } from "../features/description/types/remark.ts";
import { refuseDocument } from "../features/document/served-source.ts";
import { maskText } from "../secrets/mask-text.ts";
import { withoutPassword } from "../store/sources/source-kind.ts";
import { describeSource } from "./describe-source.ts";
import { clientHelp } from "./help.ts";
import { createTerminal } from "./terminal.ts";

/** `standin client [source]`: writes a typed client for the data, in TypeScript or C#. */
export async function client(argv: readonly string[]): Promise<void> {
  const terminal = createTerminal();
  const { options, words } = resolveClientOptions(argv, process.cwd());
  if (options.help) return terminal.print(clientHelp());
  const { lang, namespace, out, overwrite } = options;
  const [source = options.source, ...extra] = words;
  if (extra.length > 0) throw new StartError(`client reads one source, but was given ${words.length}.`);
  refuseDocument(source, "client");
  expectNamespace(namespace);
  if (out !== undefined && !overwrite) expectOurs(out);
  const data: ClientData = {
    types: await describeSource(source, options, terminal),
    settings: readCollections(options.collections, options.id, "the config file"),
    source: plain(withoutPassword(source)),
    command: commandOf(argv),
  };
  const text = lang === "csharp" ? csharpClient(data, namespace) : typescriptClient(data);
  if (out === undefined) return terminal.print(text);
  try {
    await writeAtomically(out, [`${text}\n`]);
  } catch (thrown) {
    throw new StartError(`${out} was not written: ${messageOf(thrown)}`);
  }
  terminal.print(`Wrote ${out}`);
}

/** Throws a `StartError` if the file has other content than a client, which people may have written. */
function expectOurs(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isDirectory()) throw new StartError(`--out ${file} is a folder. Name a file.`);
  const [first = ""] = readFileSync(file, "utf8").split("\n", 1);
  if (first.startsWith("//") && first.includes(`${MADE_BY} standin client`)) return;
  throw new StartError(`${file} exists, and standin client did not make it. Name another file, or add --overwrite.`);
}

/** The command as it was typed, for the first line of the client. */
function commandOf(argv: readonly string[]): string {
  const words = argv.map((word) => plain(maskText(withoutPassword(word))));
  return [
    "standin client",
    ...words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word))),
  ].join(" ");
}
