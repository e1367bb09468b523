import { RE2JS } from "re2js";

/** Those that Node's server knows. */
export const METHODS: readonly string[] = (
  "ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY " +
  "OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK " +
  "UNLOCK UNSUBSCRIBE"
).split(" ");

export function validateHeaderName(name: string): void {
  new Headers().append(name, "");
}

export function validateHeaderValue(name: string, value: string): void {
  new Headers().append(name, value);
}

/** A page does not learn it, so the time that has passed stands for it. */
export function cpuUsage(): { user: number; system: number } {
  return { user: performance.now() * 1000, system: 0 };
}

/** Most browsers do not tell. */
export function getHeapStatistics(): { used_heap_size: number; heap_size_limit: number } {
  return { used_heap_size: 0, heap_size_limit: Number.POSITIVE_INFINITY };
}

export function availableParallelism(): number {
  return globalThis.navigator?.hardwareConcurrency ?? 1;
}

/** `fetch` would connect to whatever address a name has. */
export const hasSockets = false;

export function linearPatterns(): typeof RE2JS {
  return RE2JS;
}
