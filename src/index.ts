/** The public API for programs and tests. Nothing else is exported. */
import { createChance } from "./clock-and-random.ts";
import { StartError } from "./errors.ts";
import type { Fault } from "./features/faults/fault.ts";
import { FaultProblem, readFaults } from "./features/faults/read-fault.ts";
import { createLive } from "./features/live/live.ts";
import { SANDBOX_HEADER, SANDBOX_PREFIX } from "./features/sandboxes/requested-sandbox.ts";
import type { SandboxLimits } from "./features/sandboxes/sandboxes.ts";
import { MemorySnapshots } from "./features/snapshots/memory-snapshots.ts";
import { createMessages } from "./http/express/message-classes.ts";
import { createHandler } from "./http/handler.ts";
import { createIsolation } from "./http/isolation.ts";
import { readAllowedHosts } from "./http/own-routes.ts";
import { listen } from "./http/server.ts";
import { DEFAULT_SETTINGS, noRewriting, type Rules, type Service, type ServiceSettings } from "./http/service.ts";
import type { StepOptions } from "./http/steps.ts";
import { stopServing } from "./http/stop.ts";
import type { Json, JsonObject } from "./json.ts";
import { createScope, type Scope } from "./program/scope.ts";
import { silentReporter } from "./reporter.ts";
import { MemoryStore } from "./store/memory/memory-store.ts";
import { databaseProblem, State } from "./store/memory/state.ts";
import type { Store } from "./store/store.ts";
import { Waits } from "./wait.ts";

export type { Fault } from "./features/faults/fault.ts";
export type { CollectionAccess, Database, SingletonAccess } from "./program/database.ts";
export type { DataChange, FaultControl, RecordEdit, RequestFilter, RequestRecord, Scope } from "./program/scope.ts";

const DEFAULT_HOST = "localhost";

export type StandinOptions<D extends object = JsonObject> = CommonOptions &
  (
    | {
        /** One key per collection or singleton. Served from memory; taken over, so do not change it afterwards. */
        readonly data: D;
        readonly source?: never;
      }
    | {
        /** What the command line takes: a file, a folder, a module or an address. */
        readonly source: string;
        readonly data?: never;
      }
  );

interface CommonOptions extends Partial<ServiceSettings> {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  readonly host?: string;
  /** The name of the primary key field. */
  readonly id?: string;
  /** Rewrite rules, path to path. */
  readonly rules?: Rules;
  /** Layers by name, interceptors by path or as functions; applied in the order listed. */
  readonly middlewares?: NonNullable<StepOptions["middlewares"]>;
  /** The settings of each listed layer, under its name. */
  readonly layers?: JsonObject;
  /** A folder for snapshots; in memory when it is left out. */
  readonly snapshots?: string;
  /** Write to the files of a `source`. They are left alone otherwise. */
  readonly persist?: boolean;
  /** Makes text ids, random delays and the dice of faults the same in every run. */
  readonly seed?: number;
  /** The time that clients see: one that stands still, or a function that tells it. */
  readonly clock?: string | Date | (() => number);
  /** What is to go wrong from the start. */
  readonly faults?: readonly Fault[];
  /** Bounds of the sandboxes. */
  readonly sandboxes?: Partial<SandboxLimits>;
  /** Is told what the terminal would show as a warning. */
  readonly warn?: (text: string) => void;
}

export interface Standin<D extends object = JsonObject> extends Scope<D>, AsyncDisposable {
  readonly port: number;
  /** A private view of the data, made when there is none of that name. */
  sandbox(name?: string): StandinSandbox<D>;
  close(): Promise<void>;
}

export interface StandinSandbox<D extends object = JsonObject> extends Scope<D>, AsyncDisposable {
  readonly name: string;
  /** What leads a request to `url` of the server into this sandbox; or use `url` of the sandbox. */
  readonly headers: Readonly<Record<string, string>>;
  /** Forgets its data. */
  remove(): void;
}

/**
 * Serves data on a free port, for programs and tests.
 *
 * @example
 * await using api = await createStandin({ data: { products: [{ id: 1, name: "Hat" }] } });
 * const product = await (await fetch(`${api.url}/products/1`)).json();
 * await api.db.products.update(1, { name: "Cap" });
 */
export async function createStandin<D extends object = JsonObject>(options: StandinOptions<D>): Promise<Standin<D>> {
  const { port = 0, host = DEFAULT_HOST } = options;
  const service = await createService(options);
  const { store, sandboxes, steps } = service;
  const messages = steps.some(({ kind }) => kind === "interceptor") ? createMessages() : undefined;
  const listening = await listen(await createHandler(service), host, port, undefined, messages);
  const close = async (): Promise<void> => {
    await stopServing(service, listening, "program");
    sandboxes?.clear();
    await store.close();
  };
  return {
    ...createScope<D>(service, listening.url),
    port: listening.port,
    sandbox: (name) => createSandbox<D>(service, listening.url, name),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function createService<D extends object>(options: StandinOptions<D>): Promise<Service> {
  const { seed, middlewares = [], layers = {}, warn = () => {} } = options;
  const reporter = { ...silentReporter, warn };
  const chance = createChance(readClock(options.clock), seed);
  const waits = new Waits();
  const steps =
    middlewares.length === 0
      ? []
      : await (await import("./http/steps.ts")).createSteps(
          {
            middlewares,
            layers,
            trustProxy: options.trustProxy ?? DEFAULT_SETTINGS.trustProxy,
            maxBodyBytes: options.maxBodyBytes ?? DEFAULT_SETTINGS.maxBodyBytes,
            place: "createStandin",
          },
          reporter,
          { ...chance, wait: (ms, client) => waits.wait(ms, client) },
        );
  const store = await openData(options, warn);
  const settings: ServiceSettings = {
    ...DEFAULT_SETTINGS,
    cors: !middlewares.includes("cors"),
    ...settingsIn(options),
    allowedHosts: readAllowedHosts(options.host ?? DEFAULT_HOST, options.allowedHosts),
  };
  const live = createLive(store, settings, chance.now);
  const isolation = createIsolation(store, live, options.sandboxes ?? {}, seed);
  isolation.faults.add(readRules(options.faults), true);
  return {
    store,
    live,
    rewriter: options.rules ? (await import("./http/rewrite/rewriter.ts")).createRewriter(options.rules) : noRewriting,
    snapshots:
      options.snapshots === undefined
        ? new MemorySnapshots(chance.now)
        : new (await import("./features/snapshots/folder-snapshots.ts")).Snapshots(options.snapshots, chance.now),
    steps,
    waits,
    reporter,
    startedAt: chance.now(),
    now: chance.now,
    settings,
    ...isolation,
  };
}

function readRules(faults: readonly Fault[] = []): Fault[] {
  try {
    return readFaults(faults as unknown as Json[]);
  } catch (thrown) {
    throw thrown instanceof FaultProblem ? new StartError(`"faults${thrown.key}" ${thrown.message}`) : thrown;
  }
}

function settingsIn(options: Partial<ServiceSettings>): Partial<ServiceSettings> {
  const given = Object.entries(options).filter(([name, value]) => name in DEFAULT_SETTINGS && value !== undefined);
  return Object.fromEntries(given);
}

async function openData<D extends object>(options: StandinOptions<D>, warn: (text: string) => void): Promise<Store> {
  const { id: idKey = "id", seed, persist = false } = options;
  if (options.source !== undefined) {
    const { openStore } = await import("./store/open.ts");
    const followsOutside = false;
    return openStore(options.source, { idKey, durability: "process", followsOutside, memory: !persist, warn, seed });
  }
  const data = options.data as unknown as JsonObject;
  const problem = databaseProblem(data);
  if (problem) throw new StartError(problem);
  return new MemoryStore(State.load(data, idKey, warn, undefined, seed));
}

function readClock(clock: string | Date | (() => number) | undefined): number | (() => number) | undefined {
  if (clock === undefined || typeof clock === "function") return clock;
  const time = new Date(clock).getTime();
  if (!Number.isNaN(time)) return time;
  throw new StartError(`clock: ${String(clock)} is no time. Write it as 2030-01-01T12:00:00Z.`);
}

function createSandbox<D extends object>(service: Service, url: string, name?: string): StandinSandbox<D> {
  const { sandboxes } = service;
  if (!sandboxes) throw new StartError("This server was created without sandboxes.");
  const sandbox = name === undefined ? sandboxes.create() : sandboxes.use(name);
  const scope = createScope<D>(
    { ...service, store: sandbox.store },
    `${url}${SANDBOX_PREFIX}${sandbox.name}`,
    sandbox.name,
  );
  const remove = (): void => {
    if (sandboxes.list().includes(sandbox)) sandboxes.remove(sandbox.name);
  };
  return {
    ...scope,
    name: sandbox.name,
    headers: { [SANDBOX_HEADER]: sandbox.name },
    remove,
    [Symbol.asyncDispose]: async () => remove(),
  };
}
