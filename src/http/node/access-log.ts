import type { Reporter } from "../../base/reporter.ts";
import { maskAddress } from "../../base/secrets/mask-text.ts";
import type { NodeCall } from "./node-call.ts";

/** Logs a request, as the client sent it, once its response is complete. Call it before interceptors change the request. */
export function logWhenSent(call: NodeCall, log: NonNullable<Reporter["request"]>): void {
  const { method, sentUrl, res, startedAt } = call;
  res.once("finish", () => {
    const durationMs = performance.now() - startedAt;
    const bytes = call.sentBytes ?? Number(res.getHeader("Content-Length") ?? 0);
    const { sandbox, faults, refusal } = call;
    const url = maskAddress(sentUrl);
    log({ method, url, status: res.statusCode, durationMs, bytes, sandbox, hasFault: !!faults, refusal });
  });
}
