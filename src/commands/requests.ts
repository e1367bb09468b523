import { basename } from "node:path";
import { closeService, openService } from "../app/open-service.ts";
import { StartError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import type { OptionTable, Values } from "../base/option.ts";
import { silentReporter } from "../base/reporter.ts";
import { DATA_OPTIONS } from "../config/command-options.ts";
import { withDefaults } from "../config/defaults.ts";
import { SERVE_OPTIONS, type ServeOptions } from "../config/options.ts";
import { descriptionFeature } from "../features/description/feature.ts";
import { makingOf, rulesFeature } from "../features/rules/feature.ts";
import { sendOverHttp } from "../http/node/send-over-http.ts";
import { describeStore } from "../schema/description/describe-store.ts";
import { openStore } from "../store/open-store.ts";
import { refuseDocument } from "../store/sources/served-source.ts";
import { sourceKind, withoutPassword } from "../store/sources/source-kind.ts";
import { credentials } from "./credentials.ts";
import { defineCommand } from "./define-command.ts";
import { planRequests } from "./requests/data/plan-requests.ts";
import { httpFile } from "./requests/http-file.ts";
import { BOOK_MARK, type RequestBook } from "./requests/request-book.ts";
import { seenRequests } from "./requests/seen-requests.ts";
import type { Terminal } from "./terminal.ts";
import { writeMadeFiles } from "./write-made-files.ts";

const DEFAULT_URL = "http://localhost:3000";
/** As many as a server may keep. */
const MAX_SEEN = 1_000_000;

const OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "Data to write requests for; also accepted after requests" },
  out: {
    name: "out",
    type: "string",
    placeholder: "<file>",
    help: "File to write (default: standard output)",
    only: "flag",
  },
  overwrite: {
    name: "overwrite",
    type: "boolean",
    default: false,
    help: "Replace a file that standin requests has not written",
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
  ...DATA_OPTIONS,
  quiet: { ...SERVE_OPTIONS.quiet, only: "flag" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

type RequestsOptions = Values<typeof OPTIONS>;

/** `standin requests [source]`: writes requests for the data, or those that a running server has seen. */
export const requestsCommand = defineCommand({
  name: "requests",
  usage: "[source]",
  summary: "write an .http file with requests for the data",
  help: [
    "standin requests [source]       write a request for every route and every query operator of the data",
    "standin requests <url> --seen   write the requests that a running server has seen",
    "",
    "Visual Studio, VS Code (REST Client) and the JetBrains editors send the requests of an .http file. Other tools import",
    "the OpenAPI document of a running server: GET /__openapi.json.",
    "Each request works on the data: its fields and values come from there. Writes are rolled back.",
    "No secret is written: variables stand for credentials, and for values whose names look secret.",
    "",
    "With --seen, credentials for a guarded server come from the environment: STANDIN_API_KEY and STANDIN_TOKEN.",
  ],
  examples: [
    "standin requests > shop.http",
    "standin requests db.json --out shop.http",
    "standin requests http://localhost:3000 --seen --out seen.http",
  ],
  options: OPTIONS,
  async run({ options, words, terminal }) {
    const [source = options.source, ...extra] = words;
    if (extra.length > 0) throw new StartError(`requests reads one source, but was given ${words.length}.`);
    const book = options.seen ? await seenBook(source, options) : await dataBook(source, options, terminal);
    const made = { files: new Map([["", httpFile(book)]]), command: "standin requests", mark: BOOK_MARK };
    await writeMadeFiles(made, options, terminal);
  },
});

async function dataBook(source: string, options: RequestsOptions, terminal: Terminal): Promise<RequestBook> {
  refuseDocument(source, "requests");
  const warn = (text: string): void => terminal.error(`  warning ${text}`);
  const service = await openService(serveOptions(source, options), {
    reporter: { ...silentReporter, warn },
    place: "the config file",
    openData: (given) => openStore(source, { ...given, postgres: { ...given.postgres, mustExist: true } }),
  });
  try {
    const { store, settings } = service;
    const url = baseUrl(options.url ?? DEFAULT_URL);
    const rules = service.offer(rulesFeature)?.rules;
    return {
      title: basename(withoutPassword(source)),
      url,
      isTrial: true,
      ...(await planRequests({
        document: await service.offer(descriptionFeature)!.ownDocument(service, url, options.middlewares ?? []),
        description: await describeStore(store, settings, rules),
        store,
        isReadOnly: options.readOnly,
        draft: async (collection) => {
          // Loaded for data with rules only: it takes longer than all the rest.
          const { draftRecord } = await import("../schema/generate/make-records.ts");
          return draftRecord(store, { collection, fields: {} }, makingOf(service));
        },
      })),
    };
  } finally {
    await closeService(service);
  }
}

/** Those of the server that decide what it serves, and nothing that runs other code or writes. */
function serveOptions(source: string, options: RequestsOptions): ServeOptions {
  const { out, overwrite, seen, url, middlewares, help, config, quiet, ...same } = options;
  return withDefaults(SERVE_OPTIONS, { ...same, source, memory: true });
}

async function seenBook(source: string, options: RequestsOptions): Promise<RequestBook> {
  if (sourceKind(source) !== "url") {
    throw new StartError(`--seen reads the requests of a running server: give its URL, such as ${DEFAULT_URL}.`);
  }
  const url = baseUrl(source);
  const requests = seenRequests(await readTraffic(url));
  if (requests.length === 0) throw new StartError(`The server at ${url} has seen no request yet.`);
  return {
    title: new URL(url).host,
    url: options.url === undefined ? url : baseUrl(options.url),
    requests,
    headers: [],
    isTrial: false,
  };
}

async function readTraffic(url: string): Promise<readonly Json[]> {
  const send = sendOverHttp(() => url, credentials());
  const { status, text } = await send({ method: "GET", path: `/__requests?limit=${MAX_SEEN}` });
  const body = parsed(text);
  const { requests: list, message, code } = isJsonObject(body) ? body : ({} as JsonObject);
  if (status === 200 && Array.isArray(list)) return list;
  if (typeof message === "string" && (status !== 404 || code === "TRAFFIC_OFF"))
    throw new StartError(`The server at ${url} responds with ${status}: ${message}`);
  throw new StartError(`${url} has no log of requests: it is not a standin server, or was started with --no-console.`);
}

/** Scheme, host and path of an address, without credentials. */
function baseUrl(given: string): string {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    throw new StartError(`${withoutPassword(given)} is not the URL of a server, such as ${DEFAULT_URL}.`);
  }
  const { origin, pathname } = new URL(given);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
