import { batchFeature } from "../features/batch/feature.ts";
import type { BatchRequest, BatchResponses } from "../features/batch/types.ts";
import { faultsFeature } from "../features/faults/feature.ts";
import type { Fault } from "../features/faults/types.ts";
import { liveFeature } from "../features/live/feature.ts";
import type { TrafficFilter } from "../features/live/types.ts";
import { collectionsFeature } from "../features/members/feature.ts";
import type { CollectionControl } from "../features/members/types.ts";
import { makingOf } from "../features/rules/feature.ts";
import { signInFeature } from "../features/sign-in/feature.ts";
import type { TokenOptions } from "../features/sign-in/types.ts";
import { snapshotsFeature } from "../features/snapshots/feature.ts";
import type { Snapshot } from "../features/snapshots/types.ts";
import type { Service } from "../http/contract.ts";
import { createDatabase, type Database } from "../schema/typed-database.ts";
import type { DataChange } from "../store/data-change.ts";
import { createHistoryAccess, type HistoryAccess } from "./history-access.ts";
import { createInProcess, type InProcess } from "./in-process.ts";
import { createTimeAccess, type TimeAccess } from "./time-access.ts";

/** Less than the 5 seconds after which test runners give up without saying why. */
const DEFAULT_TIMEOUT_MS = 3000;

/** A request and its response. Secrets in it are masked. */
export interface RequestRecord {
  readonly id: number;
  readonly time: string;
  readonly method: string;
  /** As the client sent it. */
  readonly url: string;
  /** The URL after the rewrite rules; absent if no rule applied. */
  readonly rewritten?: string;
  readonly sandbox?: string;
  /** 0 if a fault dropped the connection. */
  readonly status: number;
  readonly durationMs: number;
  /** `route`, `fault`, `static`, the name of a layer or the file of an interceptor. */
  readonly answeredBy: string;
  /** The faults that it met on purpose; absent if there were none. `Prefer: code=503` has no id. */
  readonly faults?: readonly { readonly id?: string; readonly fault: string; readonly delayMs?: number }[];
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** The first 4 kB of the request body, and of a response that is text. */
  readonly requestBody?: string;
  readonly responseBody?: string;
  /** The request body, parsed; absent if it is not JSON or too long to be kept whole. */
  readonly body?: unknown;
}

export interface RequestFilter extends Omit<TrafficFilter, "sandbox"> {
  /** Only requests after the one with this id. */
  readonly after?: number;
}

export interface FaultControl {
  /** Adds a fault; returns a function that removes it. */
  add(fault: Fault): () => void;
  list(): (Fault & { readonly id: string; readonly hits: number })[];
  /** Removes all faults except those the server was started with. */
  clear(): void;
}

/** The operations of a program on a server, or on one of its sandboxes. */
export interface Scope<D extends object> extends InProcess, TimeAccess {
  /** The base URL for requests, such as `http://localhost:53121`. */
  readonly url: string;
  readonly db: Database<D>;
  readonly collections: CollectionControl;
  readonly history: HistoryAccess<D>;
  readonly faults: FaultControl;
  /**
   * Runs several requests as one change: all of them happen, or none. Resolves to their responses; rejects with the error
   * of the first request that fails, whose position is in `failed`.
   *
   * @example
   * const [order] = await api.batch<[Order, Line]>([
   *   { method: "POST", path: "/orders", body: { customer: "Ada" }, as: "order" },
   *   { method: "POST", path: "/lines", body: { order_id: "{{order.id}}", product_id: 1 } },
   * ]);
   */
  batch<T extends readonly unknown[] = unknown[]>(requests: readonly BatchRequest[]): Promise<BatchResponses<T>>;
  /** Restores the data of the start and forgets the requests, changes and faults since then. */
  reset(): Promise<void>;
  snapshot(name?: string): Promise<Snapshot>;
  /** By name or id. */
  restore(name: string): Promise<void>;
  /** Calls the listener with every change; returns a function that stops it. */
  on(event: "change", listener: (change: DataChange) => void): () => void;
  /**
   * Makes an access token of a user, by the name in "name" of the layer `sign-in`; with `fault`, one that is wrong.
   *
   * @example
   * const token = await api.tokenFor("ann@shop.test", { fault: "expired" });
   */
  tokenFor(name: string, options?: TokenOptions): Promise<string>;
  /** The changes since the start or the last reset, oldest first. */
  changes(): Promise<DataChange[]>;
  /** The requests since the start or the last reset, oldest first: the latest 200, unless `traffic` says otherwise. */
  requests(filter?: RequestFilter): RequestRecord[];
  /** Resolves to the first request that matches, past or future. Rejects after the timeout. */
  waitForRequest(filter?: RequestFilter, options?: { readonly timeoutMs?: number }): Promise<RequestRecord>;
}

/** @internal */
export interface ScopeOptions {
  readonly seed?: number | undefined;
  /** The name of the sandbox, if it is one. */
  readonly sandbox?: string;
  /** Whether the guards of our own routes are left out. */
  readonly isTrusted?: boolean;
}

/** @internal */
export function createScope<D extends object>(
  service: Service,
  url: string,
  { seed, sandbox, isTrusted }: ScopeOptions = {},
): Scope<D> {
  const { store } = service;
  const faults = service.offer(faultsFeature)!;
  const live = service.offer(liveFeature);
  const snapshots = service.offer(snapshotsFeature)!;
  const traffic = () => live?.traffic ?? unavailable("Requests are not kept", "traffic");
  const feed = () => live!.changesOf(store);
  const requests = ({ after, ...filter }: RequestFilter = {}): RequestRecord[] =>
    traffic()
      .list(Number.MAX_SAFE_INTEGER, after, { ...filter, sandbox })
      .map(readRequest);
  return {
    url,
    ...createInProcess(service, url, isTrusted),
    db: createDatabase<D>(store, makingOf(service, seed)),
    collections: service.offer(collectionsFeature)!(service),
    ...createTimeAccess(service, sandbox),
    history: createHistoryAccess(service, url, { seed, isTrusted }),
    faults: {
      add(fault) {
        const [added] = faults.addGiven(fault, sandbox);
        return () => {
          if (added && faults.list().some(({ id }) => id === added.id)) faults.remove(added.id);
        };
      },
      list: () => faults.list(sandbox).map(({ id, hits, fault }) => ({ id, hits, ...fault })),
      clear: () => faults.clear(sandbox),
    },
    async batch<T extends readonly unknown[]>(requests: readonly BatchRequest[]) {
      return (await service.offer(batchFeature)!(service, url, requests)) as BatchResponses<T>;
    },
    async reset() {
      await store.reset();
      faults.clear(sandbox);
      live?.traffic?.clear(sandbox);
      live?.changesOf(store).clear();
    },
    snapshot: (name) => snapshots.save(store, name),
    async restore(name) {
      await snapshots.restore(store, name);
    },
    async tokenFor(name, options = {}) {
      const tokens = service.offer(signInFeature);
      if (!tokens) throw new Error('Tokens need the layer "sign-in" in "middlewares".');
      return tokens.tokenFor(service, name, { ...options, sandbox });
    },
    on: (_event, listener) => feed().subscribe((text) => listener(JSON.parse(text) as DataChange)),
    async changes() {
      return (await feed().list({ collections: new Set() })).map((text) => JSON.parse(text) as DataChange);
    },
    requests,
    async waitForRequest(filter = {}, { timeoutMs = DEFAULT_TIMEOUT_MS } = {}) {
      const { after, ...match } = filter;
      await traffic().until({ count: 1, after, filter: { ...match, sandbox }, ms: timeoutMs });
      const [found] = requests(filter);
      if (found) return found;
      const asked = requests().map(({ method, url }) => `${method} ${url}`);
      throw new Error(
        `No request like ${JSON.stringify(filter)} came within ${timeoutMs} ms. ` +
          (asked.length === 0 ? "None came at all." : `What came: ${asked.slice(-20).join(", ")}.`),
      );
    },
  };
}

function readRequest(text: string): RequestRecord {
  const request = JSON.parse(text) as RequestRecord;
  try {
    return request.requestBody === undefined ? request : { ...request, body: JSON.parse(request.requestBody) };
  } catch {
    return request;
  }
}

function unavailable(what: string, option: string): never {
  throw new Error(`${what}: this server was created with the option "${option}" switched off.`);
}
