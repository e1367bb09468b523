import type { Exchange } from "../../http/exchange.ts";
import { errorReply, type Reply } from "../../http/response/reply.ts";
import { RouteTable } from "../../http/route-table.ts";
import type { FoundRoute, Handler, PathParts, Respond, RouteRow, Service } from "../../http/service.ts";
import type { ActivePlugin } from "./active-plugin.ts";
import type { LoadedPlugin } from "./load-plugin.ts";
import type { RouteEntry } from "./parse-routes.ts";
import { failureReply } from "./plugin-failure.ts";
import { replyFrom, replyFromResponse, responseFrom } from "./replies.ts";
import { requestContext } from "./request-context.ts";

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

  /** Runs the steps in the order of the list, the first one outermost. */
  runSteps(exchange: Exchange, service: Service, respond: Respond): Promise<Reply | undefined> {
    const innermost = async (): Promise<Reply | undefined> => respond(exchange, service);
    return this.#steps.reduceRight((next, loaded) => () => runStep({ loaded, exchange, service, next }), innermost)();
  }
}

/** One row for each path, with the handlers of its methods. The plugin that is listed first wins. */
function rowsOf(loaded: readonly LoadedPlugin[]): RouteRow[] {
  const rows = new Map<string, Record<string, unknown>>();
  for (const plugin of loaded) {
    for (const route of plugin.routes) {
      const row = rows.get(route.path) ?? { path: route.path };
      row[route.method] ??= handlerOf(plugin, route);
      rows.set(route.path, row);
    }
  }
  return [...rows.values()] as unknown as RouteRow[];
}

function handlerOf(loaded: LoadedPlugin, { handle }: RouteEntry): Handler<PathParts> {
  return async (exchange, service, params) => {
    exchange.answeredBy = loaded.source;
    try {
      return await replyFrom(await handle({ ...requestContext(loaded, exchange, service), params }));
    } catch (thrown) {
      return failureReply(loaded, thrown, service.reporter);
    }
  };
}

interface StepRun {
  readonly loaded: LoadedPlugin;
  readonly exchange: Exchange;
  readonly service: Service;
  readonly next: () => Promise<Reply | undefined>;
}

async function runStep({ loaded, exchange, service, next }: StepRun): Promise<Reply | undefined> {
  let passed: { readonly reply: Reply | undefined; readonly shown: Response } | undefined;
  const pass = async (): Promise<Response> => {
    const reply = await next().catch((thrown: unknown) => errorReply(thrown, service.reporter));
    passed = { reply, shown: reply && !reply.stream ? responseFrom(reply) : new Response(null) };
    return passed.shown;
  };
  try {
    const returned = await loaded.plugin.step!(requestContext(loaded, exchange, service), pass);
    if (!passed) return returned === undefined ? await next() : await replyFromResponse(returned);
    // Untouched, or a stream, which no plugin can see: sent as it is.
    const { reply, shown } = passed;
    return returned === undefined || returned === shown || reply?.stream ? reply : await replyFromResponse(returned);
  } catch (thrown) {
    return failureReply(loaded, thrown, service.reporter);
  }
}
