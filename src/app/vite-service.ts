import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { PreviewServer, ViteDevServer } from "vite";
import { type Reporter, silentReporter } from "../base/reporter.ts";
import { createHandler, type RequestHandler } from "../http/node/handler.ts";
import { layoutOf } from "../store/open-store.ts";
import { sourceKind } from "../store/sources/source-kind.ts";
import { baselineOf, followChanges, followedData } from "./follow-changes.ts";
import { announceAddress, endService, openService } from "./open-service.ts";
import { type StandinOptions, startOf } from "./program-options.ts";
import { servedOptions } from "./served-options.ts";

type ViteServer = ViteDevServer | PreviewServer;

interface Opened {
  readonly handle: RequestHandler;
  announceAddress(url: string): void;
  close(): Promise<void>;
}

/**
 * The services that are open, by the data that they use. A file has one at a time, but a server of Vite that restarts is
 * created before the last one is closed.
 */
const open = new Map<unknown, Promise<Opened>>();

/** The service of one server of Vite. */
export class ViteService {
  readonly #options: StandinOptions;
  readonly #server: ViteServer;
  readonly #data: unknown;
  #own: Promise<Opened> | undefined;

  constructor(options: StandinOptions, server: ViteServer) {
    const { root, preview, server: development } = server.config;
    const { allowedHosts = [] } = "environments" in server ? development : preview;
    const { source, data } = options;
    this.#options = {
      persist: source !== undefined,
      ...options,
      ...(source !== undefined && { source: below(root, source) }),
      ...(typeof data === "string" && { data: below(root, data) }),
      allowedHosts: [...(options.allowedHosts ?? []), ...namesIn(allowedHosts)],
    } as StandinOptions;
    this.#server = server;
    this.#data = this.#options.persist ? (data ?? this.#options.source) : this;
  }

  /** Opens the service anew, once another one on the same data is closed. */
  async open(): Promise<void> {
    const last = open.get(this.#data);
    open.delete(this.#data);
    await (await last?.catch(() => undefined))?.close();
    await this.#current();
  }

  /** While the server restarts, the service of the next one responds. */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    await (await this.#current()).handle(req, res);
  }

  announceAddress(): void {
    const { httpServer, config } = this.#server;
    const { port } = (httpServer?.address() ?? {}) as Partial<AddressInfo>;
    const scheme = ("environments" in this.#server ? config.server : config.preview).https ? "https" : "http";
    const announce = async (): Promise<void> =>
      (await this.#own)?.announceAddress(`${scheme}://localhost:${port}${this.#options.base}`);
    announce().catch(() => undefined);
  }

  async close(): Promise<void> {
    if (open.get(this.#data) === this.#own) open.delete(this.#data);
    await (await this.#own?.catch(() => undefined))?.close();
  }

  #current(): Promise<Opened> {
    const known = open.get(this.#data);
    if (known) return known;
    const opening = openBelow(this.#options, reporterOf(this.#server));
    this.#own = opening;
    open.set(this.#data, opening);
    // A mistake can be corrected.
    opening.catch(() => open.delete(this.#data));
    return opening;
  }
}

async function openBelow(given: StandinOptions, reporter: Reporter): Promise<Opened> {
  const { options: served, document } = await servedOptions(given);
  const options = { ...served, watch: true };
  const baseline = baselineOf(options, [document && resolve(document)]);
  const service = await openService(options, { ...startOf(given, "standin/vite", document), reporter });
  const handle = await createHandler(service);
  const { routes, source } = options;
  const data = layoutOf(source) && followedData(service, source);
  const watcher = followChanges({ edge: service, routes, configFile: undefined, served: data ? [data] : [], baseline });
  let closing: Promise<void> | undefined;
  return {
    handle,
    announceAddress: (url) => announceAddress(service, url),
    close() {
      watcher.close();
      closing ??= endService(service);
      return closing;
    },
  };
}

function reporterOf({ config: { logger } }: ViteServer): Reporter {
  return {
    ...silentReporter,
    done: (text) => logger.info(`standin: ${text}`, { timestamp: true }),
    warn: (text) => logger.warn(`standin: ${text}`, { timestamp: true }),
    fault: (text, thrown) => logger.error(`standin: ${text} ${thrown}`, { timestamp: true }),
  };
}

/** A file is named from the root of the project. */
function below(root: string, source: string): string {
  const kind = sourceKind(source);
  const isAddress = kind === "url" || kind === "postgres" || (kind === undefined && /^\w+:\/\//.test(source));
  return isAddress ? source : resolve(root, source);
}

/** Names alone: a leading dot stands for all hosts below a name. */
function namesIn(allowed: true | readonly string[]): readonly string[] {
  return allowed === true ? [] : allowed.filter((name) => !name.startsWith("."));
}
