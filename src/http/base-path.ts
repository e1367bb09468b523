import { StandinError, StartError } from "../base/errors.ts";
import type { Call } from "./call.ts";
import type { ServiceSettings } from "./settings.ts";

/** Parts of a path that would make two addresses of one, or belong to another part of an address. */
const UNFIT = /[?#\\]|(^|\/)\.{0,2}(\/|$)/;
/** A path whose repetition in an address cannot lead elsewhere: no host, no empty part, no way up. */
const SAFE_PREFIX = /^(\/(?!\.{1,2}(\/|$))[\w.~%-]+)+$/;

/** Reads the path that a service is mounted at: with a slash in front and none at the end; empty for the root. */
export function readBase(given = ""): string {
  const path = given.replace(/^\/+|\/+$/g, "");
  if (path === "") return "";
  if (UNFIT.test(path)) throw new StartError(`"base" is ${JSON.stringify(given)}; expected is a path, such as /api.`);
  return new URL(`http://localhost/${path}`).pathname;
}

/** Whether a path is the base or lies below it. */
export function isBelow(base: string, path: string): boolean {
  return path.startsWith(base) && (path.length === base.length || path[base.length] === "/");
}

/** Takes the base off the address of a call, and puts what a trusted proxy took off in front of addresses in responses. */
export function enterBase(call: Call, { base, trustProxy }: Pick<ServiceSettings, "base" | "trustProxy">): void {
  if (!isBelow(base, call.client.path)) throw outside(call, base);
  const forwarded = trustProxy ? forwardedPrefix(call) : "";
  if (base !== "") call.enter(base);
  call.base = forwarded + base;
  call.prefix = call.base;
}

function outside({ method, client }: Call, base: string): StandinError {
  return new StandinError(
    "ROUTE_NOT_FOUND",
    `${method} ${client.path} is outside the base ${base}, so there is nothing here. Every address begins with ${base}.`,
  );
}

function forwardedPrefix({ headers }: Call): string {
  const [first = ""] = String(headers["x-forwarded-prefix"] ?? "").split(",", 1);
  const prefix = first.trim().replace(/\/$/, "");
  return SAFE_PREFIX.test(prefix) ? prefix : "";
}
