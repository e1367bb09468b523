import type { OptionTable, Values } from "../../base/option.ts";
import { resolveWithServerFile, type WithWords } from "../with-server-file.ts";
import { TYPES_OPTIONS } from "./types-options.ts";

const { help, ...SHARED } = TYPES_OPTIONS;

/** The options of `standin client`: those of `standin types`, and those of the file. */
export const CLIENT_OPTIONS = {
  ...SHARED,
  source: { ...TYPES_OPTIONS.source, help: "Data to write a client for; also accepted after client" },
  lang: { ...TYPES_OPTIONS.lang, help: "Language of the client" },
  namespace: {
    name: "namespace",
    type: "string",
    default: "Standin",
    placeholder: "<name>",
    help: "C#: namespace of the client",
    only: "flag",
  },
  out: {
    name: "out",
    type: "string",
    placeholder: "<file>",
    help: "File to write to (default: standard output)",
    only: "flag",
  },
  overwrite: {
    name: "overwrite",
    type: "boolean",
    default: false,
    help: "Replace a file that standin client did not make",
    only: "flag",
  },
  help,
} as const satisfies OptionTable;

export type ClientOptions = Values<typeof CLIENT_OPTIONS>;

/** Resolves the options of `standin client`: the source comes from an argument or the server's config file. */
export function resolveClientOptions(argv: readonly string[], folder: string): WithWords<ClientOptions> {
  return resolveWithServerFile(argv, folder, CLIENT_OPTIONS);
}
