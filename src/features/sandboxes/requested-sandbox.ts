import { StandinError } from "../../errors.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Service } from "../../http/service.ts";

export const SANDBOX_HEADER = "X-Standin-Sandbox";
export const SANDBOX_COOKIE = "standin-sandbox";
export const SANDBOX_PREFIX = "/__sandbox/";

const HEADER = SANDBOX_HEADER.toLowerCase();
const COOKIE = new RegExp(`(?:^|;\\s*)${SANDBOX_COOKIE}="?([^;"]*)`);

/** Notes which sandbox a request names: in front of its path, else in a header, else in a cookie. */
export function nameSandbox(exchange: Exchange): void {
  const { headers } = exchange.req;
  const { path } = exchange.client;
  if (path.startsWith(SANDBOX_PREFIX)) {
    const slash = path.indexOf("/", SANDBOX_PREFIX.length);
    const end = slash === -1 ? path.length : slash;
    exchange.sandbox = path.slice(SANDBOX_PREFIX.length, end);
    exchange.enter(path.slice(0, end));
  } else if (headers[HEADER] !== undefined) {
    exchange.sandbox = String(headers[HEADER]);
  } else if (headers.cookie !== undefined) {
    exchange.sandbox = COOKIE.exec(headers.cookie)?.[1];
  }
}

/** The service as the sandbox of a request sees it: the same in all but the data. */
export function serviceFor({ sandbox, target }: Exchange, service: Service): Service {
  // Whoever lists or removes sandboxes does not want to make one by that.
  if (sandbox === undefined || /^\/__sandboxes(\/|$)/.test(target.path)) return service;
  return { ...service, store: sandboxesOf(service).use(sandbox).store };
}

export function sandboxesOf({ sandboxes }: Service): NonNullable<Service["sandboxes"]> {
  if (sandboxes) return sandboxes;
  throw new StandinError(
    "SANDBOXES_OFF",
    "Sandboxes are switched off here. Start without --sandboxes 0 to have some, or leave the name of one out.",
  );
}
