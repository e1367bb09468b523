import { StandinError, StartError } from "../../../base/errors.ts";
import type { Call } from "../../../http/call.ts";
import type { Entrance } from "../../../http/contract.ts";
import { refuseForeignHost } from "../../../http/own-routes.ts";
import type { ServiceSettings } from "../../../http/settings.ts";

const LOCAL = /^https?:\/\/(?:localhost|[\w.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Lets in only pages of this machine and of listed origins, under a host name of ours: any other page could use the
 * developer's credentials at the real API.
 */
export function createGuard(settings: ServiceSettings, origins: readonly string[]): Entrance {
  const allowed = new Set(origins);
  return {
    prefix: "/",
    headers: [],
    enter: (call) => {
      refuseForeignHost(call, settings, "A server in front of a real API is");
      refuseForeignPage(call, allowed);
    },
  };
}

/** Origins as browsers send them. */
export function readOrigins(given: readonly string[]): string[] {
  return given.map((text) => {
    const origin = URL.canParse(text) ? new URL(text).origin : "null";
    if (origin !== "null" && /^https?:/.test(origin)) return origin;
    throw new StartError(`--origin: ${JSON.stringify(text)} is not an origin. Write it as https://app.test.`);
  });
}

function refuseForeignPage({ headers, origin, isTrusted }: Call, allowed: ReadonlySet<string>): void {
  const from = headers.origin;
  if (isTrusted || from === undefined || from === origin || LOCAL.test(from) || allowed.has(from)) return;
  throw new StandinError(
    "CROSS_ORIGIN",
    `A page from ${from.slice(0, 100)} may not use the real API through this server. If it is yours, start with --origin ${from.slice(0, 100)}.`,
  );
}
