import type { DataChange } from "../data-change.ts";
import { StandinError } from "../errors.ts";
import type { Fault } from "../features/faults/fault.ts";
import { faultsFeature } from "../features/faults/feature.ts";
import { FaultProblem, readFault } from "../features/faults/read-fault.ts";
import type { ChangeFeed } from "../features/live/change-feed.ts";
import { liveFeature } from "../features/live/feature.ts";
import type { Traffic } from "../features/live/traffic.ts";
import type { TrafficFilter } from "../features/live/traffic-filter.ts";
import { snapshotsFeature } from "../features/snapshots/feature.ts";
import type { Snapshot } from "../features/snapshots/folder-snapshots.ts";
import type { Service } from "../http/service.ts";
import type { Json } from "../json.ts";
import { createDatabase, type Database } from "../typed-database.ts";

const DEFAULT_TIMEOUT_MS = 5000;

/** A request that was answered. Secrets in it are cut short. */
export interface RequestRecord {
  readonly id: number;
  readonly time: string;
  readonly method: string;
  /** As the client sent it. */
  readonly url: string;
  /** What the rewrite rules made of it; absent when they left it alone. */
  readonly rewritten?: string;
  readonly sandbox?: string;
  /** 0 where a fault let no answer through. */
  readonly status: number;
  readonly durationMs: number;
  /** `route`, `fault`, `static`, the name of a layer or the file of an interceptor. */
  readonly answeredBy: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** The first 4 kB of what was sent, and of a JSON answer. */
  readonly requestBody?: string;
  readonly responseBody?: string;
  /** What was sent, parsed; absent when it was no JSON, or too long to be kept whole. */
  readonly body?: unknown;
}

export interface RequestFilter extends Omit<TrafficFilter, "sandbox"> {
  /** Only requests after the one with this id. */
  readonly after?: number;
}

export interface FaultControl {
  /** Lets something go wrong from now on; gives back how to end that. */
  add(fault: Fault): () => void;
  list(): (Fault & { readonly id: string; readonly hits: number })[];
  /** Removes all but those that the server was started with. */
  clear(): void;
}

/** What a program can do with a server, or with one sandbox of it. */
export interface Scope<D extends object> {
  /** Where requests go, such as `http://localhost:53121`. */
  readonly url: string;
  readonly db: Database<D>;
  readonly faults: FaultControl;
  /** Back to the data of the start; requests, changes and faults since then are forgotten. */
  reset(): Promise<void>;
  snapshot(name?: string): Promise<Snapshot>;
  /** By name or id. */
  restore(name: string): Promise<void>;
  /** Calls back with every change; gives back how to stop that. */
  on(event: "change", listener: (change: DataChange) => void): () => void;
  /** The changes since the start or the last reset, oldest first. */
  changes(): Promise<DataChange[]>;
  /** What was asked since the start or the last reset, oldest first: the latest 200, unless `traffic` says otherwise. */
  requests(filter?: RequestFilter): RequestRecord[];
  /** The first request that fits, be it over already or still to come. Rejects when none has come in time. */
  waitForRequest(filter?: RequestFilter, options?: { readonly timeoutMs?: number }): Promise<RequestRecord>;
}

export function createScope<D extends object>(service: Service, url: string, sandbox?: string): Scope<D> {
  const { store } = service;
  const faults = service.offer(faultsFeature);
  const live = service.offer(liveFeature);
  const snapshots = service.offer(snapshotsFeature);
  const traffic = (): Traffic => live?.traffic ?? unavailable("Requests are not kept", "traffic");
  const feed = (): ChangeFeed => live!.changesOf(store);
  const requests = ({ after, ...filter }: RequestFilter = {}): RequestRecord[] =>
    traffic()
      .list(Number.MAX_SAFE_INTEGER, after, { ...filter, sandbox })
      .map(readRequest);
  return {
    url,
    db: createDatabase<D>(store),
    faults: {
      add(fault) {
        const rule = explained(() => readFault(fault as unknown as Json));
        const [added] = faults!.add([sandbox === undefined ? rule : { ...rule, sandbox }]);
        return () => {
          if (faults!.list().some(({ id }) => id === added!.id)) faults!.remove(added!.id);
        };
      },
      list: () => faults!.list(sandbox).map(({ id, hits, fault }) => ({ id, hits, ...fault })),
      clear: () => faults!.clear(sandbox),
    },
    async reset() {
      await store.reset();
      faults?.clear(sandbox);
      live?.traffic?.clear(sandbox);
      live?.changesOf(store).clear();
    },
    snapshot: (name) => snapshots!.save(store, name),
    async restore(name) {
      await snapshots!.restore(store, name);
    },
    on: (_event, listener) => feed().subscribe((text) => listener(JSON.parse(text) as DataChange)),
    async changes() {
      return (await feed().list(new Set())).map((text) => JSON.parse(text) as DataChange);
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

function explained<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof FaultProblem)) throw thrown;
    throw new StandinError("FAULT_INVALID", `"${thrown.key}" ${thrown.message}`);
  }
}

function unavailable(what: string, option: string): never {
  throw new Error(`${what}: this server was created with the option "${option}" switched off.`);
}
