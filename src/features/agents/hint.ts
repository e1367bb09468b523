import { isJsonObject, type Json, type JsonObject, parseJson, stringifyJson } from "../../base/json/json.ts";
import type { ReadError } from "./error-of.ts";
import { splitQuery } from "./tools/query.ts";

/** A refused call, and why. */
interface Refused {
  readonly tool: string;
  readonly args: JsonObject;
  readonly error: ReadError;
}

const CREDENTIALS =
  "The server wants credentials. For standin mcp, set STANDIN_API_KEY (api-key) or STANDIN_TOKEN (bearer, signed-token) " +
  "in its environment; for /__mcp, set the header X-API-KEY or Authorization in the client's configuration.";

type FindHint = (refused: Refused) => Json | undefined;

/** The wrong name in a message, and the right one. */
const NEAREST = /"([^"]+)"[^"]*? Did you mean "([^"]+)"\?/;

/** The call that would have been right, as far as that is known, or else what to do. */
export function hintFor(refused: Refused): Json | undefined {
  return HINTS[refused.error.code]?.(refused) ?? nearestName(refused);
}

const HINTS: Readonly<Record<string, FindHint>> = {
  API_KEY_INVALID: () => CREDENTIALS,
  API_KEY_MISSING: () => CREDENTIALS,
  AUTH_FORBIDDEN: () => CREDENTIALS,
  AUTH_REQUIRED: () => CREDENTIALS,
  TOKEN_EXPIRED: () => CREDENTIALS,
  TOKEN_INVALID: () => CREDENTIALS,
  TOKEN_REQUIRED: () => CREDENTIALS,
  SANDBOX_NOT_FOUND: () => call("sandbox", { action: "create" }),
  SANDBOXES_OFF: ({ tool, args: { sandbox: _, ...args } }) =>
    tool === "sandbox" || tool === "undo" ? undefined : call(tool, { ...args, shared: true }),
  SANDBOX_CONFLICT: ({ args, error: { body } }) => {
    if (body.total === 0) return call("sandbox", { action: "create" });
    return isOnlyTwice(body.conflicts) ? call("sandbox", { ...args, renumber: true }) : undefined;
  },
  COLLECTION_NOT_FOUND: (refused) => nearestName(refused) ?? withCollection(refused),
  TOOL_INVALID: (refused) => nearestName(refused) ?? withNameOfSandbox(refused),
  SNAPSHOTS_OFF: () => "Snapshots need a server that was started with --snapshots <folder>.",
  TRAFFIC_OFF: () => "Requests are kept by a server that was started without --traffic 0.",
  CURSOR_INVALID: ({ tool, args }) => withPath(tool, args, (path) => path.replace(/([?&]_after=)[^&]*/, "$1")),
  FILTER_REQUIRED: (refused) => inRequest(refused, (one) => withParameter(one, "_all=true")),
  ID_TAKEN: (refused) => inRequest(refused, withoutId),
  BATCH_UNAVAILABLE: () => "Interceptors or plugins want to see each request: call write once for each.",
  BATCH_INVALID: ({ tool, args, error }) => {
    const { method, path } = requestAt(args, error) ?? {};
    const isList = tool === "write" && method === "GET" && error.message.includes("lists records");
    return isList && path !== undefined ? call("query", { path, ...scopeIn(args) }) : undefined;
  },
};

/** Whether new ids would end all conflicts. */
function isOnlyTwice(conflicts: Json | undefined): boolean {
  const isTwice = ({ base, main, sandbox }: JsonObject): boolean => base === null && main !== null && sandbox !== null;
  return Array.isArray(conflicts) && conflicts.every((one) => isJsonObject(one) && isTwice(one));
}

/** Creates the collection that a record was meant for. */
function withCollection({ tool, args, error }: Refused): JsonObject | undefined {
  const { method, path } = requestAt(args, error) ?? {};
  const [, name] = /^\/?([^/?]+)$/.exec(String(path)) ?? [];
  if (tool !== "write" || String(method).toUpperCase() !== "POST" || name === undefined) return undefined;
  const collections = [...((args.collections as Json[]) ?? []), name];
  // The requests of a long call need not be repeated.
  const { requests, ...rest } = args;
  return (requests as Json[]).length === 1
    ? call(tool, { ...args, collections })
    : { tool, add: { ...rest, collections } };
}

/** Most tools name the sandbox as `sandbox`, this one as `name`. */
function withNameOfSandbox({ tool, args }: Refused): JsonObject | undefined {
  const { sandbox, ...rest } = args;
  return tool === "sandbox" && sandbox !== undefined ? call(tool, { ...rest, name: sandbox }) : undefined;
}

function call(tool: string, args: JsonObject): JsonObject {
  return { tool, arguments: args };
}

function scopeIn({ sandbox, shared }: JsonObject): JsonObject {
  return { ...(sandbox !== undefined && { sandbox }), ...(shared !== undefined && { shared }) };
}

/** Puts the name in that the message suggests. */
function nearestName(refused: Refused): Json | undefined {
  const { tool, args, error } = refused;
  const [, wrong, right] = NEAREST.exec(error.message) ?? [];
  if (wrong === undefined || right === undefined) return undefined;
  const isWrong = (text: unknown): boolean => text === wrong || text === encodeURIComponent(wrong);
  const corrected = (path: string): string => renamed(path, wrong, right);
  if (tool === wrong) return call(right, args);
  if (error.code === "TOOL_INVALID") return call(tool, renamedKey(args, wrong, right));
  if (tool === "write") {
    return inRequest(refused, (one) => ({ ...one, path: corrected(String(one.path)) }));
  }
  if (typeof args.path === "string" && tool === "query") {
    const where =
      args.where === undefined ? {} : { where: parseJson(renamed(stringifyJson(args.where), wrong, right)) };
    return call(tool, { ...args, path: corrected(args.path), ...where });
  }
  const fixed = Object.entries(args).map(([key, value]) => {
    if (isWrong(value)) return [key, right];
    return [key, isJsonObject(value) ? renamedKey(value, wrong, right) : value];
  });
  return call(tool, Object.fromEntries(fixed));
}

/** Replaces a name where it stands by itself. */
function renamed(text: string, wrong: string, right: string): string {
  const escaped = wrong.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // The name of a parameter is meant before a value.
  const asName = new RegExp(`(?<=[?&])${escaped}(?=[=:.&]|$)`);
  const anywhere = new RegExp(`(?<![\\w.])${escaped}(?![\\w])`);
  return text.replace(asName.test(text) ? asName : anywhere, () => right);
}

function renamedKey(object: JsonObject, wrong: string, right: string): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key === wrong ? right : key, value === wrong ? right : value]),
  );
}

function withPath(tool: string, args: JsonObject, change: (path: string) => string): JsonObject | undefined {
  return typeof args.path === "string" ? call(tool, { ...args, path: change(args.path) }) : undefined;
}

function requestAt({ requests }: JsonObject, { body }: ReadError): JsonObject | undefined {
  const one = Array.isArray(requests) && typeof body.failed === "number" ? requests[body.failed] : undefined;
  return isJsonObject(one) ? one : undefined;
}

/** The same call with one of its requests changed. Only that one is shown: the others stay as they are. */
function inRequest(
  { tool, args, error }: Refused,
  change: (request: JsonObject) => JsonObject | undefined,
): Json | undefined {
  const request = requestAt(args, error);
  const changed = request && change(request);
  if (!changed) return undefined;
  const { requests } = args;
  const isOnly = Array.isArray(requests) && requests.length === 1;
  if (isOnly) return call(tool, { ...args, requests: [changed] });
  return { tool, replace: { index: error.body.failed ?? null, request: changed } };
}

function withParameter(request: JsonObject, parameter: string): JsonObject {
  const [path, search] = splitQuery(String(request.path));
  return { ...request, path: `${path}?${search === "" ? "" : `${search}&`}${parameter}` };
}

function withoutId(request: JsonObject): JsonObject | undefined {
  if (!isJsonObject(request.body) || request.body.id === undefined || request.method !== "POST") return undefined;
  const { id: _, ...body } = request.body;
  return { ...request, body };
}
