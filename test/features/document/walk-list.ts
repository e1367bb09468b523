import { isJsonObject, type Json, type JsonObject } from "../../../src/base/json/json.ts";
import type { BoundCollection, BoundOperation } from "../../../src/openapi/bind/binding.ts";
import type { EnvelopeRole } from "../../../src/openapi/bind/roles.ts";
import { valueAtPointer } from "../../../src/schema/pointer.ts";
import type { Served } from "./serve.ts";

/** Follows a list page by page, by whatever its body says about the next one. Returns the ids of each page. */
export async function walkList(
  ask: Served["ask"],
  { idKey }: BoundCollection,
  bound: BoundOperation,
  most = 50,
): Promise<Json[][]> {
  const parameter = (...roles: string[]) => bound.parameters.find(({ role }) => roles.includes(role))?.name;
  const limit = parameter("limit");
  const first = `${bound.operation.path.text}${limit === undefined ? "" : `?${limit}=2`}`;
  const pages: Json[][] = [];
  let next: string | undefined = first;
  while (next !== undefined) {
    if (pages.length >= most) throw new Error(`${first} does not end: the next page is still ${next}`);
    const { body, status } = await ask(`GET ${next}`);
    if (status !== 200) throw new Error(`GET ${next}: ${status} ${JSON.stringify(body)}`);
    const ids = listed(body, bound).map((record) => record[idKey] ?? JSON.stringify(record));
    pages.push(ids);
    next = following(body, first);
  }
  return pages;

  function following(body: unknown, start: string): string | undefined {
    const field = (role: EnvelopeRole): Json | undefined => {
      const path = bound.envelope.find((one) => one.role === role)?.path;
      return path && isJsonObject(body) ? (valueAtPointer(body, path) ?? undefined) : undefined;
    };
    const joined = (name: string | undefined, value: Json | undefined): string | undefined =>
      name === undefined || value === undefined || value === null || value === "" || value === 0
        ? undefined
        : `${start}${start.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(String(value))}`;
    const url = field("nextUrl");
    if (typeof url === "string" && url !== "") return url.replace(/^https?:\/\/[^/]+/, "");
    return (
      joined(parameter("cursor", "offset", "page"), field("nextCursor")) ??
      joined(parameter("offset", "cursor"), field("nextOffset")) ??
      joined(parameter("page", "pageIndex"), field("nextPage")) ??
      (field("hasMore") === true ? joined(parameter("cursor"), field("lastId")) : undefined)
    );
  }
}

function listed(body: unknown, { at = [] }: BoundOperation): JsonObject[] {
  const list = at.length === 0 ? body : isJsonObject(body) ? valueAtPointer(body, at) : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
