import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { StandinError } from "../errors.ts";
import { wholeNumber } from "../query/parse.ts";
import { Exchange } from "./exchange.ts";
import { answerPreflight } from "./preflight.ts";
import { refuseWrite } from "./read-only.ts";
import { errorReply, type Reply, send } from "./reply.ts";
import { route } from "./router.ts";
import type { Service } from "./service.ts";
import { createStaticFiles } from "./static-files.ts";

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** The longest a timer can wait. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * The way of a request: method override, cross-origin preflight, static files, rewrite, delay, read-only, route. Never
 * rejects: whatever happens on the way becomes an answer.
 */
export async function createHandler(service: Service): Promise<RequestHandler> {
  const { settings, reporter } = service;
  const staticFiles = settings.staticFolder ? await createStaticFiles(settings.staticFolder, settings.cors) : undefined;

  async function answer(exchange: Exchange): Promise<Reply> {
    try {
      exchange.target = service.rewriter.rewrite(exchange.client);
      const delayMs = settings.delayMs + requestedDelay(exchange);
      if (delayMs > 0) await sleep(delayMs);
      if (settings.readOnly) refuseWrite(exchange);
      return await route(exchange, service);
    } catch (thrown) {
      return errorReply(thrown, reporter);
    }
  }

  return async function handle(req, res) {
    const startedAt = reporter.request ? performance.now() : 0;
    const exchange = new Exchange(req, res, settings.trustProxy);
    if (exchange.method === "OPTIONS" && settings.cors) return answerPreflight(exchange);
    if (staticFiles && (await staticFiles(exchange))) return;
    const reply = await answer(exchange);
    let bytes = 0;
    try {
      bytes = await send(exchange, reply, settings);
    } catch (thrown) {
      reporter.fault("An answer could not be sent.", thrown);
      res.destroy();
    }
    reporter.request?.({
      method: exchange.method,
      url: req.url ?? "",
      status: reply.status,
      durationMs: performance.now() - startedAt,
      bytes,
    });
  };
}

/** `_delay=500` in the query: this one answer comes later. */
function requestedDelay(exchange: Exchange): number {
  if (!exchange.target.search.includes("_delay=")) return 0;
  const delayMs = wholeNumber(exchange.parameters, "_delay") ?? 0;
  if (delayMs <= MAX_DELAY_MS) return Math.max(0, delayMs);
  throw new StandinError("QUERY_INVALID", `_delay=${delayMs}: at most ${MAX_DELAY_MS} milliseconds can be waited.`);
}
