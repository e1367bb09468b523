import type { Call } from "../../http/call.ts";
import {
  createStoreChooser,
  type FoundRoute,
  type Handler,
  type PathParts,
  type Respond,
  type RouteRow,
  type Service,
} from "../../http/contract.ts";
import { RouteTable } from "../../http/path-pattern.ts";
import { isFresh } from "../../http/response/headers.ts";
import { errorReply, notModified, type Reply } from "../../http/response/reply.ts";
import { createDatabase } from "../../schema/typed-database.ts";
import type { Store } from "../../store/store.ts";
import { makingOf } from "../rules/feature.ts";
import type { ActivePlugin } from "./active-plugin.ts";
import type { LoadedPlugin } from "./load-plugin.ts";
import type { RouteEntry } from "./parse-routes.ts";
import { pluginFailureReply } from "./plugin-failure.ts";
import { replyFrom, replyFromResponse, responseFrom } from "./replies.ts";
import type { PluginRequest, RequestContext, StepContext } from "./types.ts";

/** A request on its way through the plugins. */
interface PluginExchange {
  readonly loaded: LoadedPlugin;
  readonly call: Call;
  readonly service: Service;
}

/** The routes and steps of all plugins as they are now; made anew when one of them is reloaded. */
export class PluginTable {
  readonly #routes: RouteTable;
  readonly #steps: readonly LoadedPlugin[];

  constructor(active: readonly ActivePlugin[]) {
    const loaded = active.map((plugin) => plugin.loaded);
    this.#routes = new RouteTable(rowsOf(loaded));
    this.#steps = loaded.filter(({ plugin }) => plugin.step);
  }

  get hasSteps(): boolean {
    return this.#steps.length > 0;
  }

  find(segments: readonly string[], method: string | undefined): FoundRoute | undefined {
    return this.#routes.find(segments, method);
  }

  /**
   * Runs the steps in the order of the list, the first one outermost. They see the whole response; whether the client has
   * it already is decided behind them.
   */
  async runSteps(call: Call, service: Service, respond: Respond): Promise<Reply | undefined> {
    const { headers } = call;
    const known = headers["if-none-match"];
    delete headers["if-none-match"];
    const innermost = async (): Promise<Reply | undefined> => respond(call, service);
    const run = this.#steps.reduceRight((next, loaded) => () => runStep({ loaded, call, service, next }), innermost);
    const reply = await run();
    if (known === undefined) return reply;
    headers["if-none-match"] = known;
    const { etag, status } = reply ?? {};
    const isKnown = etag !== undefined && status === 200 && call.isRead && isFresh(headers, etag);
    return isKnown ? notModified(etag) : reply;
  }
}

/** One row for each path, with the handlers of its methods. The plugin that is listed first wins. */
function rowsOf(loaded: readonly LoadedPlugin[]): RouteRow[] {
  const rows = new Map<string, RouteRow>();
  for (const plugin of loaded) {
    for (const route of plugin.routes) {
      const { path, method } = route;
      rows.set(path, { [method]: handlerOf(plugin, route), ...rows.get(path), path });
    }
  }
  return [...rows.values()];
}

function handlerOf(loaded: LoadedPlugin, { handle }: RouteEntry): Handler<PathParts> {
  return async (call, service, params) => {
    call.answeredBy = loaded.source;
    try {
      return await replyFrom(await handle(requestContext({ loaded, call, service }, params)));
    } catch (thrown) {
      return pluginFailureReply(loaded, thrown, service.reporter);
    }
  };
}

interface StepRun extends PluginExchange {
  readonly next: () => Promise<Reply | undefined>;
}

async function runStep({ next, ...given }: StepRun): Promise<Reply | undefined> {
  const { loaded, service } = given;
  let passing: Promise<Passed> | undefined;
  const pass = async (): Promise<Passed> => {
    const reply = await next().catch((thrown: unknown) => errorReply(thrown, service.reporter));
    // No plugin can see a stream.
    return { reply, shown: reply && !reply.stream ? responseFrom(reply) : new Response(null) };
  };
  const passOnce = (): Promise<Response> => {
    if (passing) throw new Error("next() was called twice: a request can be carried out once.");
    passing = pass();
    return passing.then(({ shown }) => shown);
  };
  try {
    const returned: unknown = await loaded.plugin.step?.(stepContext(given), passOnce);
    if (returned === undefined) return (await (passing ?? pass())).reply;
    if (!(returned instanceof Response)) throw new TypeError("A step must return a Response, or nothing.");
    return passing ? changed(await passing, returned) : await replyFromResponse(returned);
  } catch (thrown) {
    return pluginFailureReply(loaded, thrown, service.reporter);
  }
}

/** The reply from behind a step, and the response that the step has seen of it. */
interface Passed {
  readonly reply: Reply | undefined;
  readonly shown: Response;
}

async function changed({ reply, shown }: Passed, returned: Response): Promise<Reply | undefined> {
  if (returned === shown || reply === undefined || reply.stream) return reply;
  const made = await replyFromResponse(returned);
  // Copied with all headers: the tag stands for the body that it was made for.
  return made.etag === reply.etag && made.json !== reply.json ? { ...made, etag: undefined } : made;
}

/** A request as a handler sees it, over the data that the request is served from. */
function requestContext(given: PluginExchange, params: PathParts): RequestContext {
  return { ...commonParts(given), db: createDatabase(given.service.store, makingOf(given.service)), params };
}

/** A request as a step sees it. The sandbox that it names is chosen behind the steps, or when a step uses the data. */
function stepContext(given: PluginExchange): StepContext {
  return Object.defineProperty(commonParts(given) as StepContext, "db", {
    enumerable: true,
    get: () => createDatabase(storeOf(given), makingOf(given.service)),
  });
}

function storeOf({ call, service }: PluginExchange): Store {
  const sandbox = call.sandbox === undefined ? undefined : createStoreChooser(service)(call);
  return sandbox ?? service.store;
}

function commonParts({ loaded, call }: PluginExchange): Omit<StepContext, "db"> {
  return {
    options: loaded.options,
    query: new URLSearchParams(call.target.search),
    request: pluginRequest(call),
  };
}

function pluginRequest(call: Call): PluginRequest {
  const { method, client, sandbox } = call;
  return {
    method,
    url: client.search === "" ? client.path : `${client.path}?${client.search}`,
    sandbox,
    get headers() {
      const pairs = Object.entries(call.headers).flatMap(([name, value = []]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      );
      return new Headers(pairs);
    },
    // Kept, because steps, handlers and the routes of the data may each want the body.
    async json() {
      await call.keepBody();
      return call.body();
    },
    async text() {
      await call.keepBody();
      return call.bodyText();
    },
  };
}
