import { isJsonObject, type Json } from "../../src/base/json/json.ts";
import type { BoundCollection, BoundOperation } from "../../src/openapi/bind/binding.ts";
import type { EnvelopeRole, ParameterRole } from "../../src/openapi/bind/roles.ts";
import type { Answer } from "../support/api.ts";
import type { Client } from "./client.ts";
import { at } from "./records.ts";

const MOST_PAGES = 60;

/** How the walk through a list ended: at its last page, without an end, or before its first page. */
export interface Walk {
  readonly end: "walked" | "endless" | "closed";
  /** Why it did not get to its last page. */
  readonly why?: string;
}

const WALKED: Walk = { end: "walked" };

function endless(why: string): Walk {
  return { end: "endless", why };
}

/** Walks a list from its first page to its last, as its document says how. */
export async function walk(
  client: Client,
  { idKey }: BoundCollection,
  list: BoundOperation,
  path: ReadonlyMap<string, string>,
): Promise<Walk> {
  const parameter = (role: ParameterRole) => list.parameters.find((one) => one.role === role)?.name;
  const limit = parameter("limit");
  const small = limit === undefined ? {} : { [limit]: "3" };
  const seen = new Set<string>();
  let count = 0;
  let query: Record<string, string> = small;
  let next: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    let answer: Answer = await (next === undefined
      ? client.ask(list.operation, { path, query })
      : client.follow(list.operation, next));
    if (answer.status >= 400 && page === 0 && limit !== undefined) {
      query = {};
      answer = await client.ask(list.operation, { path });
    }
    if (answer.status >= 300) {
      const why = `page ${page + 1}: ${answer.status} ${answer.text.slice(0, 300)}`;
      return page === 0 ? { end: "closed", why } : endless(why);
    }
    const records = at(answer.body, list.at);
    if (!Array.isArray(records)) return { end: "closed", why: "no array where the binding says" };
    count += records.length;
    const ids = records.map((record) => idIn(record, list, idKey));
    const again = ids.find((id) => id !== undefined && seen.has(id));
    if (again !== undefined) return endless(`page ${page + 1} has ${again} again`);
    for (const id of ids) if (id !== undefined) seen.add(id);
    const step = following({ answer, list, parameter, page, seen: count, last: ids.at(-1), count: ids.length });
    if (step === undefined) return WALKED;
    if (typeof step === "string") next = step;
    else query = { ...query, ...step };
  }
  return endless(`no end after ${MOST_PAGES} pages`);
}

interface Page {
  readonly answer: Answer;
  readonly list: BoundOperation;
  readonly parameter: (role: ParameterRole) => string | undefined;
  readonly page: number;
  readonly seen: number;
  readonly last: string | undefined;
  readonly count: number;
}

/** The address of the next page, or what to ask for; nothing at the end. */
function following({
  answer,
  list,
  parameter,
  page,
  seen,
  last,
  count,
}: Page): string | Record<string, string> | undefined {
  const field = (role: EnvelopeRole): Json | undefined => {
    const found = list.envelope.find((one) => one.role === role);
    return found && at(answer.body, found.path);
  };
  const [url, cursor] = [field("nextUrl"), field("nextCursor")];
  if (typeof url === "string" && url !== "") return url.startsWith("http") ? url.replace(/^\w+:\/\/[^/]+/, "") : url;
  if (list.envelope.some(({ role }) => role === "nextUrl")) return undefined;
  const after = parameter("cursor");
  if (after !== undefined && list.envelope.some(({ role }) => role === "nextCursor")) {
    return cursor === undefined || cursor === null || cursor === "" ? undefined : { [after]: String(cursor) };
  }
  if (after !== undefined && list.envelope.some(({ role }) => role === "hasMore" || role === "lastId")) {
    return field("hasMore") === true && last !== undefined ? { [after]: last } : undefined;
  }
  if (count === 0) return undefined;
  const [number, index, offset] = [parameter("page"), parameter("pageIndex"), parameter("offset")];
  if (number !== undefined) return { [number]: String(page + 2) };
  if (index !== undefined) return { [index]: String(page + 1) };
  return offset === undefined ? undefined : { [offset]: String(seen) };
}

function idIn(record: Json, { wrapper }: BoundOperation, idKey: string): string | undefined {
  const held = at(record, wrapper?.at);
  const id = isJsonObject(held) ? held[idKey] : undefined;
  return id === undefined || id === null ? undefined : String(id);
}
