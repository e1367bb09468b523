import { StandinError } from "../base/errors.ts";
import type { JsonObject } from "../base/json/json.ts";
import type { AnyPlugin } from "../features/plugins/types.ts";
import { isBelow } from "../http/base-path.ts";
import type { Rewrites } from "../http/rewrite/rewrites.ts";
import { expectNames, KNOWN_OPTIONS } from "./expect-options.ts";
import { type GivenData, loadGivenData } from "./given-data.ts";
import { endService, openService } from "./open-service.ts";
import { type CommonOptions, serveOptionsOf, startOf } from "./program-options.ts";
import { createSandboxScope, type Disposal, type StandinSandbox } from "./sandbox-scope.ts";
import { createScope, type Scope } from "./scope.ts";

/** Options that need files, a socket or an API document, and what to do without them. */
export const UNAVAILABLE = {
  source: "Give the data itself as data.",
  port: "There is no server; call fetch.",
  host: "There is no server; call fetch.",
  static: "Let the host of the page serve its files.",
  snapshots: "Leave it out; snapshots stay in memory.",
  files: "Leave it out; files stay in memory, or in IndexedDB with persist.",
  compression: "Leave it out; the platform compresses.",
  bodyParser: "Leave it out; it is meant for interceptors.",
  validate: "Only createStandin serves API documents.",
  validateSecurity: "Only createStandin serves API documents.",
  allowOutsideRefs: "Only createStandin serves API documents.",
  bind: "Only createStandin serves API documents.",
  fallback: "Only createStandin forwards to a real API.",
  fallbackWrites: "Only createStandin forwards to a real API.",
  upstream: "Only createStandin forwards to a real API.",
  header: "Only createStandin forwards to a real API.",
  origin: "Only createStandin forwards to a real API.",
  insecure: "Only createStandin forwards to a real API.",
  access: "Only createStandin signs users in.",
  hooks: "Only createStandin sends webhooks: it checks the address that it connects to.",
  hookTargets: "Only createStandin sends webhooks.",
} as const;

/** Options that `createStandin` does not have. The type holds that none is missing. */
const OWN_OPTIONS: Readonly<Record<Exclude<keyof FetchOptions, keyof CommonOptions>, true>> = {
  data: true,
  dataVersion: true,
  durability: true,
  guard: true,
  name: true,
  onNewSeed: true,
};

/** The options of `createStandin` that need no files. */
export interface FetchOptions<D extends object = JsonObject>
  extends Omit<CommonOptions, keyof typeof UNAVAILABLE | "routes" | "rules" | "middlewares" | "plugins" | "persist"> {
  /** One key per collection or singleton, or a function that loads it. Do not change it afterwards. */
  readonly data: GivenData<D>;
  /** Whether the routes that begin with `/__` refuse other hosts and origins. Leave them out where only you can call. */
  readonly guard?: boolean;
  /** Keeps the instance on `globalThis`: a module that is loaded again, as Next does, finds it by its name. */
  readonly name?: string;
  /** Keeps the data in the browser, in the IndexedDB of this origin. In memory alone unless given. */
  readonly persist?: "indexeddb";
  /** Tells versions of `data` apart, so that data in the browser is found without loading it. */
  readonly dataVersion?: string;
  /** Keeps or replaces changed data when `data` is new. The console of the browser says which. */
  readonly onNewSeed?: "keep" | "replace";
  /** `disk`: a write is acknowledged when it survives a power loss. By default, when it survives the end of the browser. */
  readonly durability?: "process" | "disk";
  /** Rewrite rules, path to path. */
  readonly routes?: Rewrites;
  /** Rules that records must meet: a JSON Schema for each collection. */
  readonly rules?: JsonObject;
  /** Layers by name; applied in the order listed. */
  readonly middlewares?: readonly string[];
  /** Plugins, as objects. */
  readonly plugins?: readonly AnyPlugin[];
}

export interface StandinFetch<D extends object = JsonObject> extends Omit<Scope<D>, "fetch">, Disposal {
  /** Responds to a request. Bound, and takes no further arguments, so that it can be handed to any platform. */
  fetch(this: void, request: Request | URL | string): Promise<Response>;
  /** As `fetch` for requests below `base`, with a network error for a dropped connection; undefined for other requests. */
  match(this: void, request: Request): Promise<Response> | undefined;
  /** Returns the sandbox of that name, a private view of the data; creates it if there is none. */
  sandbox(name?: string): StandinSandbox<D>;
  close(): Promise<void>;
}

/**
 * Serves data without a server, wherever there is `fetch`: in tests, pages, workers and edge functions.
 *
 * @example
 * const api = await createFetch({ data: { products: [{ id: 1, name: "Hat" }] }, base: "/api" });
 * const response = await api.fetch(new Request("http://localhost/api/products/1"));
 */
export async function createFetch<D extends object = JsonObject>(given: FetchOptions<D>): Promise<StandinFetch<D>> {
  const { name } = expectKnown(given);
  if (name === undefined) return openFetch(given);
  const kept = keptInstances();
  const opened = (kept.get(name) as Promise<StandinFetch<D>> | undefined) ?? openFetch(given, () => kept.delete(name));
  kept.set(name, opened);
  // A mistake in the options can be corrected.
  opened.catch(() => kept.delete(name));
  return opened;
}

async function openFetch<D extends object>(given: FetchOptions<D>, forget = () => {}): Promise<StandinFetch<D>> {
  refuseUnavailable(given);
  if (given.rules) expectCompiler();
  const { persist, ...rest } = given;
  const others = { ...rest, data: persist ? {} : await loadGivenData(given.data) };
  const options = { ...serveOptionsOf(others), durability: given.durability ?? "process" };
  const start = startOf(others, "createFetch");
  const openData = persist && (await import("./worker/persistent-data.ts")).openPersistentData(given);
  const service = await openService(options, openData ? { ...start, openData } : start);
  const { base } = service.settings;
  const url = `http://localhost${base}`;
  const held = { seed: options.seed, isTrusted: given.guard === false };
  const scope = createScope<D>(service, url, held);
  const close = async (): Promise<void> => {
    forget();
    await endService(service);
  };
  return {
    ...scope,
    fetch: async (given) => scope.fetch(given instanceof Request ? given : new URL(given, url)),
    match(request) {
      const isInside = isBelow(base, new URL(request.url).pathname);
      return isInside ? scope.fetch(request).catch(() => Response.error()) : undefined;
    },
    sandbox: (name) => createSandboxScope<D>(service, url, { name, ...held }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Methods = Readonly<
  Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", (request: Request) => Promise<Response>>
>;

/**
 * One handler for each method, for frameworks that look for them by name.
 *
 * @example
 * export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods(api); // Next: app/api/[...path]/route.ts
 */
export function methods({ fetch }: Pick<StandinFetch, "fetch">): Methods {
  return { GET: fetch, HEAD: fetch, POST: fetch, PUT: fetch, PATCH: fetch, DELETE: fetch, OPTIONS: fetch };
}

function keptInstances(): Map<string, Promise<unknown>> {
  const place = globalThis as { [INSTANCES]?: Map<string, Promise<unknown>> };
  place[INSTANCES] ??= new Map();
  return place[INSTANCES];
}

const INSTANCES = Symbol.for("standin.instances");

/** Names that only `createStandin` knows pass: they are refused with advice. */
function expectKnown<O extends object>(given: O): O {
  const known = [...Object.keys({ ...OWN_OPTIONS, ...UNAVAILABLE }), ...KNOWN_OPTIONS];
  expectNames(given, known, { name: "createFetch", needs: "data: createFetch({ data: { products: [] } })" });
  return given;
}

function refuseUnavailable(given: object): void {
  const options = given as Readonly<Record<string, unknown>>;
  const wanted = (name: string): boolean => options[name] !== undefined && options[name] !== false;
  if (wanted("persist") && options.persist !== "indexeddb") {
    throw unavailable("persist", 'The only place is "indexeddb"; without it, the data stays in memory.');
  }
  for (const [name, advice] of Object.entries(UNAVAILABLE)) if (wanted(name)) throw unavailable(name, advice);
  for (const name of ["data", "routes", "rules"]) {
    if (typeof options[name] === "string") throw unavailable(name, "Give the object itself instead of a file.");
  }
  for (const plugin of (options.plugins ?? []) as readonly unknown[]) {
    if (typeof plugin === "string") throw unavailable("plugins", "Give the object itself instead of a file.");
  }
  for (const layer of (options.middlewares ?? []) as readonly unknown[]) {
    if (typeof layer !== "string" || /[./\\]/.test(layer)) {
      throw unavailable("middlewares", "Interceptors run on Express, which needs Node. List the names of layers only.");
    }
  }
}

function unavailable(name: string, advice: string): StandinError {
  return new StandinError("OPTION_UNAVAILABLE", `The option "${name}" is not available in createFetch. ${advice}`);
}

/** Rules are compiled into functions, which some platforms bar. */
function expectCompiler(): void {
  try {
    new Function("");
  } catch (thrown) {
    throw new StandinError("RULES_UNAVAILABLE", `Rules are compiled, which this platform does not allow: ${thrown}`);
  }
}
