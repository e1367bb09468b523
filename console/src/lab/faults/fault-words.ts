import type { FaultRule, Milliseconds } from "../../api/faults.ts";
import { formatBytes, formatCount, plural } from "../../ui/format.ts";

/** The effect of a fault in a few words: "Status 503", "2 s late". */
export function effectOf({ fault, status, ms, bytes, bytesPerSecond }: FaultRule): string {
  switch (fault) {
    case "status":
      return `Status ${status}`;
    case "latency":
      return `${withCapital(formatDelay(ms ?? 0))} late`;
    case "timeout":
      return ms === undefined ? "No response" : `No response for ${formatDelay(ms)}`;
    case "reset":
      return "Connection reset";
    case "empty-reply":
      return "Connection closed";
    case "slow-body":
      return bytesPerSecond === undefined ? "Slow body" : `Body at ${formatCount(bytesPerSecond / 1000)} kB/s`;
    case "truncated-body":
      return bytes === undefined ? "Body cut off halfway" : `Body cut off after ${formatBytes(bytes)}`;
    case "malformed-json":
      return "Invalid JSON";
  }
}

const WRITES = "POST, PUT, PATCH, DELETE";

/** The requests that a fault applies to: "POST /products", "All requests". */
export function scopeOf({ method, path, collection }: FaultRule): string {
  const methods = method === undefined ? "" : [method].flat().join(", ");
  const place = path ?? (collection === undefined ? "" : `/${collection}`);
  if (place === "")
    return methods === "" ? "All requests" : methods === WRITES ? "All writes" : `All ${methods} requests`;
  return methods === "" ? place : `${methods} ${place}`;
}

/** Everything else that limits a fault, each in a few words. */
export function limitsOf({ probability, skip = 0, count, after, collection, path, sandbox }: FaultRule): string[] {
  const limits: string[] = [];
  if (sandbox !== undefined) limits.push(sandbox === null ? "main data only" : `in ${sandbox}`);
  if (path !== undefined && collection !== undefined) limits.push(`only ${collection}`);
  if (probability !== undefined && probability < 1) limits.push(`${formatShare(probability)} of requests`);
  if (skip > 0) limits.push(skip === 1 ? "after the first request" : `after the first ${formatCount(skip)} requests`);
  if (count !== undefined) limits.push(`at most ${plural(count, "time")}`);
  if (after === true) limits.push("carried out first");
  return limits;
}

function withCapital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function formatShare(probability: number): string {
  return `${Number((probability * 100).toPrecision(3))} %`;
}

function formatDelay(ms: Milliseconds): string {
  if (typeof ms === "number") return ms < 1000 ? `${ms} ms` : `${formatCount(ms / 1000)} s`;
  if ("min" in ms) return `${formatDelay(ms.min)} to ${formatDelay(ms.max)}`;
  return `about ${formatDelay(ms.median)}`;
}
