import type { Reporter } from "../../base/reporter.ts";
import { maskAddress } from "../../base/secrets/mask-text.ts";
import type { Exchange } from "../exchange.ts";

/** Logs a request, as the client sent it, once its response is complete. Call it before interceptors change the request. */
export function logWhenSent(exchange: Exchange, log: NonNullable<Reporter["request"]>): void {
  const { method, url, res, startedAt } = exchange;
  res.once("finish", () => {
    const durationMs = performance.now() - startedAt;
    const bytes = exchange.sentBytes ?? Number(res.getHeader("Content-Length") ?? 0);
    const { sandbox, faults } = exchange;
    log({ method, url: maskAddress(url), status: res.statusCode, durationMs, bytes, sandbox, hasFault: !!faults });
  });
}
