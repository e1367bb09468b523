import type { OptionTable, Values } from "../../base/option.ts";
import { SERVE_OPTIONS } from "../options.ts";
import { POSTGRES_OPTIONS } from "../postgres-options.ts";
import { resolveWithServerFile, type WithWords } from "../with-server-file.ts";

/** The options of `standin requests`. */
export const REQUESTS_OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "Data to write requests for; also accepted after requests" },
  format: {
    name: "format",
    type: "string",
    default: "http",
    choices: ["http", "bruno", "k6", "postman"],
    placeholder: "<format>",
    help: "Format of the requests",
    only: "flag",
  },
  out: {
    name: "out",
    type: "string",
    placeholder: "<path>",
    help: "File to write, or folder for bruno (default: standard output)",
    only: "flag",
  },
  overwrite: {
    name: "overwrite",
    type: "boolean",
    default: false,
    help: "Replace files that standin requests has not written",
    only: "flag",
  },
  seen: {
    name: "seen",
    type: "boolean",
    default: false,
    help: "Write the requests that a running server has seen; the source is its URL",
    only: "flag",
  },
  url: {
    name: "url",
    type: "string",
    placeholder: "<url>",
    help: "Address that the requests go to (default: http://localhost:3000)",
    only: "flag",
  },
  rules: { ...SERVE_OPTIONS.rules, help: "Rules that the bodies of writes must keep" },
  middlewares: { ...SERVE_OPTIONS.middlewares, help: "Layers of the server; requests get the credentials they need" },
  readOnly: { ...SERVE_OPTIONS.readOnly, help: "Leave writes out" },
  config: SERVE_OPTIONS.config,
  id: SERVE_OPTIONS.id,
  collections: SERVE_OPTIONS.collections,
  foreignKeySuffix: SERVE_OPTIONS.foreignKeySuffix,
  ...POSTGRES_OPTIONS,
  quiet: { ...SERVE_OPTIONS.quiet, only: "flag" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export type RequestsOptions = Values<typeof REQUESTS_OPTIONS>;

/** Resolves the options of `standin requests`: the source comes from an argument or the server's config file. */
export function resolveRequestsOptions(argv: readonly string[], folder: string): WithWords<RequestsOptions> {
  return resolveWithServerFile(argv, folder, REQUESTS_OPTIONS);
}
