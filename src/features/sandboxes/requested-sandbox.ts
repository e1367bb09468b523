import { StandinError } from "../../base/errors.ts";
import type { Call } from "../../http/call.ts";
import type { Entrance } from "../../http/contract.ts";
import { isDryRun } from "../../http/routes/carry-out.ts";

export const SANDBOX_HEADER = "X-Standin-Sandbox";
export const SANDBOX_COOKIE = "standin-sandbox";
export const SANDBOX_PREFIX = "/__sandbox/";

const HEADER = SANDBOX_HEADER.toLowerCase();
const COOKIE = new RegExp(`(?:^|;\\s*)${SANDBOX_COOKIE}="?([^;"]*)`);

/** Notes which sandbox a request names: in front of its path, else in a header, else in a cookie. */
export const sandboxEntrance: Entrance = {
  prefix: SANDBOX_PREFIX,
  headers: [HEADER, "cookie"],
  enter: noteSandbox,
};

function noteSandbox(call: Call): void {
  const { headers } = call;
  const { path } = call.client;
  if (path.startsWith(SANDBOX_PREFIX)) {
    const slash = path.indexOf("/", SANDBOX_PREFIX.length);
    const end = slash === -1 ? path.length : slash;
    call.sandbox = path.slice(SANDBOX_PREFIX.length, end);
    call.enter(path.slice(0, end));
  } else if (headers[HEADER] !== undefined) {
    call.sandbox = String(headers[HEADER]);
  } else if (headers.cookie !== undefined) {
    call.sandbox = COOKIE.exec(headers.cookie)?.[1];
  }
}

/** Requests that name a sandbox. Listing or removing sandboxes must not create one, nor must an agent that was away. */
export function isInSandbox({ sandbox, target }: Call): boolean {
  return sandbox !== undefined && !/^\/__(sandboxes|mcp)(\/|$)/.test(target.path);
}

/** Whether a sandbox must be there already: `Prefer: sandbox=existing`. A new one would hide that the old one expired. */
export function mustExist({ preferences }: Call): boolean {
  return preferences?.get("sandbox") === "existing";
}

/** Whether a request must leave everything as it is, also the list of sandboxes. */
export function isTrial({ isSafe, preferences }: Call): boolean {
  return !isSafe && isDryRun(preferences);
}

export const SANDBOXES_OFF = {
  code: "SANDBOXES_OFF",
  message: "Sandboxes are switched off here. Start without --sandboxes 0 to have some, or leave the name of one out.",
} as const;

/** Refuses requests that name a sandbox, where there are none. */
export function refuseSandbox(call: Call): undefined {
  if (isInSandbox(call)) throw new StandinError(SANDBOXES_OFF.code, SANDBOXES_OFF.message);
}
