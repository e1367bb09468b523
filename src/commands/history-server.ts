import { createInProcess } from "../app/in-process.ts";
import { closeService, openService } from "../app/open-service.ts";
import { StartError } from "../base/errors.ts";
import { type JsonObject, parseJson, stringifyJson } from "../base/json/json.ts";
import type { Option } from "../base/option.ts";
import { silentReporter } from "../base/reporter.ts";
import { SERVE_OPTIONS, type ServeOptions } from "../config/options.ts";
import { resolveServeOptions } from "../config/resolve.ts";
import type { LocalReply, LocalRequest } from "../http/local-call.ts";
import { sendOverHttp } from "../http/node/send-over-http.ts";
import { liveHolder } from "../store/file/lock.ts";
import { layoutOf } from "../store/open-store.ts";
import { servedSource } from "../store/sources/served-source.ts";
import { sourceKind } from "../store/sources/source-kind.ts";
import { credentials } from "./credentials.ts";
import type { Terminal } from "./terminal.ts";

/** The options of commands that work on a history. Everything else is as the config file of the server says. */
export const HISTORY_OPTIONS = {
  config: SERVE_OPTIONS.config,
  help: SERVE_OPTIONS.help,
} as const satisfies Record<string, Option>;

/** Sends a request, and returns the part of the response that matters. */
type Ask = (request: LocalRequest) => Promise<Pick<LocalReply, "status" | "text">>;

export interface HistoryPlace {
  /** As on the command line of the server; undefined for that of the config file. */
  readonly source: string | undefined;
  readonly config: string | undefined;
  readonly terminal: Terminal;
  /** More flags of the server. */
  readonly flags?: readonly string[];
}

/** Lets work send requests to the server that uses a source, or else to a service of its own on the same data. */
export async function withHistory<T>(place: HistoryPlace, work: (ask: Ask) => Promise<T>): Promise<T> {
  const { source, config, terminal } = place;
  const flags = [...(config === undefined ? [] : ["--config", config]), ...(place.flags ?? [])];
  const { options, mounts } = resolveServeOptions([...(source === undefined ? [] : [source]), ...flags], process.cwd());
  if (mounts) throw new StartError("The history is that of one source, but there are several. Name one of them.");
  const url = serverOf(options);
  if (url !== undefined) return work(sendOverHttp(() => url, credentials()));
  const warn = (text: string): void => terminal.error(`  warning ${text}`);
  const service = await openService(ownOptions(options), {
    reporter: { ...silentReporter, warn },
    place: "the config file",
  });
  const { fetch } = createInProcess(service, "http://localhost", true);
  const headers = { "Content-Type": "application/json" };
  try {
    return await work(async ({ method, path, body }) => {
      const sent = body === undefined ? {} : { headers, body: stringifyJson(body) };
      const response = await fetch(path, { method, ...sent });
      return { status: response.status, text: await response.text() };
    });
  } finally {
    await closeService(service);
  }
}

/** The address of the server that runs on a source; undefined if there is none. */
function serverOf(options: ServeOptions): string | undefined {
  if (sourceKind(options.source) === "url") return options.source.replace(/\/+$/, "");
  const { source } = servedSource(options);
  const layout = source === "" ? undefined : layoutOf(source);
  const holder = layout && liveHolder(layout.anchor);
  if (!holder) return undefined;
  if (holder.url !== undefined) return holder.url;
  throw new StartError(`${source} is in use by process ${holder.pid}, which does not say where it listens.`);
}

/** The data and the rules of the server, without anything that guards or runs other code. */
function ownOptions(options: ServeOptions): ServeOptions {
  const { source } = servedSource(options);
  if (source === "")
    throw new StartError("Without --data, the data of a document lives in memory, and has no history.");
  const bare = {
    middlewares: undefined,
    layers: undefined,
    plugins: undefined,
    routes: undefined,
    static: undefined,
    base: undefined,
  };
  return { ...options, ...bare, source, data: undefined, memory: false, watch: false, readOnly: false };
}

/** The body of a response. Throws its message where the request was refused. */
export function bodyOf({ status, text }: Awaited<ReturnType<Ask>>): JsonObject {
  const body = text === "" ? {} : parseJson<JsonObject>(text);
  if (status >= 200 && status < 300) return body;
  throw new StartError(typeof body.message === "string" ? body.message : `The server responds with ${status}.`);
}
