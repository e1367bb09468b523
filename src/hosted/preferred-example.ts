import type { IncomingHttpHeaders } from "node:http";
import { StandinError } from "../base/errors.ts";
import { parsePreferences } from "../http/preferences.ts";

/** The requirements of a request on its example beside method and address. */
export interface Wishes {
  /** From `x-mock-response-code` or `Prefer: code=`. */
  readonly code: number | undefined;
  /** From `x-mock-response-name`. */
  readonly name: string | undefined;
  /** From `x-mock-response-id`. */
  readonly id: string | undefined;
  /** From `Prefer: example=`: a name among the examples of one response. */
  readonly preferred: string | undefined;
  /** Names from `x-mock-match-request-headers`, in lower case, with the values sent. */
  readonly headers: ReadonlyMap<string, string | undefined>;
  /** From `x-mock-match-request-body: true`: the body must be the same. */
  readonly matchesBody: boolean;
}

export const WISH_HEADERS: readonly string[] = [
  "x-mock-response-code",
  "x-mock-response-name",
  "x-mock-response-id",
  "x-mock-match-request-headers",
  "x-mock-match-request-body",
  "prefer",
];

/** Undefined for requests without preferences. */
export function readExampleWishes(headers: IncomingHttpHeaders): Wishes | undefined {
  const code = textOf(headers["x-mock-response-code"]);
  const name = textOf(headers["x-mock-response-name"]);
  const id = textOf(headers["x-mock-response-id"]);
  const headerNames = textOf(headers["x-mock-match-request-headers"]);
  const body = textOf(headers["x-mock-match-request-body"]);
  const prefer = textOf(headers.prefer);
  const preferences = parsePreferences(prefer ?? "");
  const wishes: Wishes = {
    code: statusFrom(code, "x-mock-response-code") ?? statusFrom(preferences.get("code"), "Prefer: code"),
    name,
    id,
    preferred: preferences.get("example"),
    headers: new Map(namesIn(headerNames).map((key) => [key, ownText(headers, key)])),
    matchesBody: body !== undefined && isTrue(body),
  };
  const { preferred, matchesBody } = wishes;
  const isEmpty = (wishes.code ?? name ?? id ?? preferred) === undefined && wishes.headers.size === 0 && !matchesBody;
  return isEmpty ? undefined : wishes;
}

function textOf(header: string | string[] | undefined): string | undefined {
  const text = (Array.isArray(header) ? header.join(", ") : header)?.trim();
  return text === "" ? undefined : text;
}

/** A name comes from the request: it may be one that every object has. */
function ownText(headers: IncomingHttpHeaders, name: string): string | undefined {
  return Object.hasOwn(headers, name) ? textOf(headers[name]) : undefined;
}

function namesIn(list: string | undefined): string[] {
  const names = (list ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== "");
}

function isTrue(text: string): boolean {
  if (/^true$/i.test(text)) return true;
  if (/^false$/i.test(text)) return false;
  throw new StandinError("MATCH_HEADER_INVALID", `x-mock-match-request-body: ${text} is neither true nor false.`);
}

function statusFrom(text: string | undefined, header: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^[2-5]\d\d$/.test(text)) return Number(text);
  throw new StandinError("MATCH_HEADER_INVALID", `${header} is "${text}", but must be a status code from 200 to 599.`);
}
