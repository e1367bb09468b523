import { StandinError } from "../../../base/errors.ts";
import { isJsonObject, type Json, parseJson, stringifyJson } from "../../../base/json/json.ts";
import type { LocalReply } from "../../../http/local-call.ts";
import { OPERATOR_NAMES } from "../../../query/operator-table.ts";
import { DEFAULT_PAGE_LIMIT } from "../../../query/window.ts";
import { EXISTING, expectSuccess, SCOPE, scopeOf, type ToolCall, type ToolScope } from "../scope.ts";
import { fitting, MAX_BYTES, MAX_RECORDS, objectText, type Tool } from "../tool.ts";

/** Where an OpenAPI document is served, lists are read as standin has them: plain, with all parameters and in windows. */
const HEADERS = { prefer: `handling=strict, count=exact, ${EXISTING}`, "x-standin-routes": "own" };

/** Parameters that choose a part of a list by counting. */
const COUNTING: readonly string[] = ["_start", "_end", "_page", "_limit", "_per_page"];

export const queryTool: Tool = {
  name: "query",
  title: "Read records",
  description:
    "GET a path: /products, /products/1, /companies/1/products, /settings. Parameters: field=value, " +
    `field:op=value (${OPERATOR_NAMES.join(" ")}; ! negates), q=text, ` +
    "_sort=-price,name, _fields=id,name, _start, _limit, _embed=children, _expand=parent, _group=field with " +
    "_aggregate=count,sum:price, _having. Dots reach into objects. Unknown names are errors. " +
    "_at=<version>, a time or -5m reads the past; /__history lists the versions. " +
    "At most 50 records; `next` has the arguments for the rest.",
  properties: {
    path: { type: "string", description: "Path and query, such as /products?price:lt=10&_sort=-price" },
    where: {
      type: "object",
      description: 'Nested conditions: {"or":[{"price":{"lt":10}},{"name":{"contains":"lamp"}}]}; also and, not',
    },
    ...SCOPE,
  },
  required: ["path"],
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run(call) {
    const path = pathOf(call);
    const window = boundedWindow(path);
    const scope = await scopeOf(call, "read");
    const get = (one: string): Promise<LocalReply> =>
      expectSuccess(call.send, { method: "GET", path: scope.prefix + one, headers: HEADERS }, one);
    const response = await get(window.path);
    if (!window.isRecord || !response.text.startsWith("[")) return render(response, { call, scope, window, get });
    // It is a list after all: the path is rewritten, or one of an OpenAPI document.
    const asList = boundedWindow(path, false);
    return render(await get(asList.path), { call, scope, window: asList, get });
  },
};

interface Asked {
  readonly call: ToolCall;
  readonly scope: ToolScope;
  readonly window: ListWindow;
  readonly get: (path: string) => Promise<LocalReply>;
}

function pathOf({ args }: ToolCall): string {
  const { path, where } = args as { path: string; where?: Json };
  const given = path.startsWith("/") ? path : `/${path}`;
  // The server decodes the path.
  if (/^\/(?:_|%5f){2}(?!history\b)/i.test(given)) {
    throw new StandinError(
      "TOOL_INVALID",
      `${splitQuery(given)[0]} is not data. Use describe, requests, snapshot, fault or sandbox for the server itself.`,
    );
  }
  if (where === undefined) return given;
  return `${given}${given.includes("?") ? "&" : "?"}_where=${encodeURIComponent(stringifyJson(where))}`;
}

async function render(response: LocalReply, asked: Asked): Promise<string> {
  const { scope } = asked;
  const { text } = response;
  if (text.startsWith("[")) return renderList(response, asked);
  if (Buffer.byteLength(text) <= MAX_BYTES) return objectText(scope.facts, { record: text === "" ? undefined : text });
  return tooLarge(text, asked);
}

async function renderList(response: LocalReply, { call, scope, window, get }: Asked): Promise<string> {
  const total = response.list?.total;
  const facts = { ...scope.facts, ...(total !== undefined && { total }) };
  const isSmall = Buffer.byteLength(response.text) <= MAX_BYTES;
  if (isSmall && total === undefined) {
    const next = response.list?.next;
    return objectText(facts, {
      records: response.text,
      next: next === undefined ? undefined : nextCall(call, window.limitedTo(limitOf(window.path)), next),
    });
  }
  // Hot path: what fits is passed on as it is.
  if (isSmall && total !== undefined && window.start !== undefined) {
    const shown = Math.max(0, Math.min(window.count ?? total, total - window.start));
    const isMore = shown > 0 && window.start + shown < total;
    return objectText(facts, {
      records: response.text,
      next: isMore ? continued(call, window.next(shown)) : undefined,
    });
  }
  const texts = (parseJson(response.text) as Json[]).map((record) => stringifyJson(record));
  const shown = fitting(texts);
  const [first] = texts;
  if (shown === 0 && first !== undefined) return tooLarge(first, { call, scope, window, get });
  const isCursor = /[?&]_after=/.test(window.path);
  // A shorter list has a cursor that continues behind its last record.
  if (isCursor && shown < texts.length)
    return renderList(await get(window.limitedTo(shown)), { call, scope, window, get });
  const isMore = window.start !== undefined && total !== undefined && window.start + shown < total;
  return objectText(facts, {
    records: `[${texts.slice(0, shown).join(",")}]`,
    next: isMore && shown > 0 ? continued(call, window.next(shown)) : cursorNext(call, response, window),
  });
}

/** The arguments of a call that continues at another path. */
function continued({ args }: ToolCall, path: string): string {
  const { where: _, ...rest } = args;
  return stringifyJson({ ...rest, path });
}

function cursorNext(call: ToolCall, response: LocalReply, window: ListWindow): string | undefined {
  const next = response.list?.next;
  return next === undefined ? undefined : nextCall(call, window.path, next);
}

function nextCall(call: ToolCall, path: string, cursor: string): string {
  return continued(
    call,
    path.replace(/([?&]_after=)[^&]*/, (_, name: string) => `${name}${cursor}`),
  );
}

function limitOf(path: string): number {
  return Number(/[?&]_limit=(\d+)/.exec(path)?.[1] ?? 0);
}

/** A record that alone is more than a result may show: says how large each of its fields is. */
function tooLarge(text: string, { call, scope, window }: Asked): string {
  const value = parseJson(text);
  const fields = isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, Buffer.byteLength(stringifyJson(one))]))
    : {};
  const small = Object.entries(fields).flatMap(([name, bytes]) => (bytes < MAX_BYTES / 20 ? [name] : []));
  const [path, search] = splitQuery(window.path);
  const selected = `${path}?${[...search.split("&").filter((pair) => pair !== "" && !pair.startsWith("_fields=")), `_fields=${small.map(encodeURIComponent).join(",")}`].join("&")}`;
  return objectText(scope.facts, {
    too_large: `{"bytes":${Buffer.byteLength(text)},"bytes_by_field":${JSON.stringify(fields).slice(0, MAX_BYTES / 2)}}`,
    next: small.length > 0 ? continued(call, selected) : undefined,
  });
}

/** The part of a list that a path asks for, cut down to what a result may show. */
interface ListWindow {
  /** The path seems to name one record, so nothing was cut. */
  readonly isRecord: boolean;
  /** The path to request. */
  readonly path: string;
  /** The position of the first record; undefined where another way to continue is part of the response. */
  readonly start: number | undefined;
  /** The most records of it; undefined for a single record. */
  readonly count: number | undefined;
  /** The same part with fewer records. */
  limitedTo(count: number): string;
  /** The records behind the first `shown` of this part. */
  next(shown: number): string;
}

/** Bounds a path that may lead to a list. A single record is left alone. */
function boundedWindow(path: string, isRecord = hasNameOfRecord(path)): ListWindow {
  if (isRecord) return { isRecord, path, start: undefined, count: undefined, limitedTo: () => path, next: () => path };
  const [bare, search] = splitQuery(path);
  const parameters = new URLSearchParams(search);
  const whole = (name: string): number | undefined => {
    const value = parameters.get(name) ?? "";
    return /^\d+$/.test(value) ? Number(value) : undefined;
  };
  const kept = search.split("&").filter((pair) => pair !== "" && !COUNTING.includes(nameIn(pair)));
  const withWindow = (window: Readonly<Record<string, number>>): string =>
    `${bare}?${[...kept, ...Object.entries(window).map(([name, value]) => `${name}=${value}`)].join("&")}`;
  if (parameters.has("_after")) {
    const limitedTo = (count: number): string => withWindow({ _limit: count });
    const limit = Math.min(whole("_limit") ?? MAX_RECORDS, MAX_RECORDS);
    return { isRecord, path: limitedTo(limit), start: undefined, count: limit, limitedTo, next: () => path };
  }
  const { start, count } = sliceOf(whole);
  const slice = (from: number, most: number): string => withWindow({ _start: from, _limit: most });
  return {
    isRecord,
    path: slice(start, count),
    start,
    count,
    limitedTo: (most) => slice(start, most),
    next: (shown) => slice(start + shown, Math.max(count, 1)),
  };
}

function sliceOf(whole: (name: string) => number | undefined): { readonly start: number; readonly count: number } {
  const [page, limit, end] = [whole("_page"), whole("_limit") ?? whole("_per_page"), whole("_end")];
  if (page !== undefined) {
    const perPage = limit || DEFAULT_PAGE_LIMIT;
    return { start: (Math.max(page, 1) - 1) * perPage, count: Math.min(perPage, MAX_RECORDS) };
  }
  const start = whole("_start") ?? 0;
  const asked = end === undefined ? (limit ?? MAX_RECORDS) : Math.max(end - start, 0);
  return { start, count: Math.min(asked, MAX_RECORDS) };
}

/** `/products/1` and `/companies/1/products/2`, but not `/products`. */
function hasNameOfRecord(path: string): boolean {
  return splitQuery(path)[0].split("/").filter(Boolean).length % 2 === 0;
}

/** Path and query string. */
export function splitQuery(path: string): [path: string, search: string] {
  const question = path.indexOf("?");
  return question === -1 ? [path, ""] : [path.slice(0, question), path.slice(question + 1)];
}

function nameIn(pair: string): string {
  const [name = ""] = pair.split("=", 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
