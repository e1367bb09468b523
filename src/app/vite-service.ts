import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { PreviewServer, ViteDevServer } from "vite";
import type { Reporter } from "../base/reporter.ts";
import { createHandler, type RequestHandler } from "../http/node/handler.ts";
import { layoutOf } from "../store/open-store.ts";
import { baselineOf, followChanges, followedData } from "./follow-changes.ts";
import { announceAddress, endService, openService } from "./open-service.ts";
import { type StandinOptions, startOf } from "./program-options.ts";
import { servedOptions } from "./served-options.ts";
import { belowRoot, reporterOf, warnOfPublicData } from "./vite-places.ts";

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
  #isClosed = false;

  constructor(options: StandinOptions, server: ViteServer) {
    const { root, preview, server: development } = server.config;
    const { allowedHosts = [] } = "environments" in server ? development : preview;
    this.#options = {
      persist: options.source !== undefined,
      ...belowRoot(root, options),
      allowedHosts: [...(options.allowedHosts ?? []), ...namesIn(allowedHosts)],
    } as StandinOptions;
    warnOfPublicData(server.config, this.#options);
    this.#server = server;
    this.#data = this.#options.persist ? (options.data ?? this.#options.source) : this;
  }

  /** Opens the service anew, once another one on the same data is closed. Requests wait for it. */
  async open(): Promise<void> {
    await this.#openAfter(open.get(this.#data));
  }

  /** A server in front of Vite goes on when Vite is closed: nobody would close what its requests open. */
  get isAtWork(): boolean {
    const current = open.get(this.#data);
    return !this.#isClosed || (current !== undefined && current !== this.#own);
  }

  /** While the server restarts, the service of the next one responds. */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    await (await (open.get(this.#data) ?? this.#openAfter(undefined))).handle(req, res);
  }

  announceAddress(): void {
    const { httpServer, config } = this.#server;
    const { port } = (httpServer?.address() ?? {}) as Partial<AddressInfo>;
    const scheme = ("environments" in this.#server ? config.server : config.preview).https ? "https" : "http";
    const announce = async (): Promise<void> =>
      (await this.#own)?.announceAddress(`${scheme}://localhost:${port}${this.#options.base}`);
    announce().catch(() => undefined);
  }

  /** The next service on the same data finds this one until it is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const own = this.#own;
    await closeOpened(own);
    this.#forget(own);
  }

  #openAfter(last: Promise<Opened> | undefined): Promise<Opened> {
    const opening = closeOpened(last).then(() => openBelow(this.#options, reporterOf(this.#server.config)));
    this.#own = opening;
    open.set(this.#data, opening);
    // A mistake can be corrected.
    opening.catch(() => this.#forget(opening));
    return opening;
  }

  #forget(opened: Promise<Opened> | undefined): void {
    if (open.get(this.#data) === opened) open.delete(this.#data);
  }
}

async function closeOpened(opened: Promise<Opened> | undefined): Promise<void> {
  await (await opened?.catch(() => undefined))?.close();
}

async function openBelow(given: StandinOptions, reporter: Reporter): Promise<Opened> {
  const { options: served, document } = await servedOptions(given);
  const options = { ...served, watch: true };
  const baseline = baselineOf(options, [document && resolve(document)]);
  const service = await openService(options, { ...startOf(given, "standin/vite", document), reporter });
  const handle = await createHandler(service);
  const { routes, source } = options;
  const data = layoutOf(source) && followedData(service, source, baseline);
  const watcher = followChanges({ edge: service, routes, startFiles: [], served: data ? [data] : [], baseline });
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

/** Names alone: a leading dot stands for all hosts below a name. */
function namesIn(allowed: true | readonly string[]): readonly string[] {
  return allowed === true ? [] : allowed.filter((name) => !name.startsWith("."));
}
