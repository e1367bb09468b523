import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../base/json/json.ts";
import { randomInt } from "../../../base/platform/crypto.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { RECORDED_REASONS } from "../../../openapi/bind/config/own-bindings.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { randomText } from "../../../store/ids.ts";
import type { Rendering } from "../../../store/stored-record.ts";
import type { OperationContext } from "../operation-context.ts";
import { elementSchema, keyword, schemaFields, typesOf } from "../schema-fields.ts";
import { recordsInExamples } from "../seeds/recorded-examples.ts";

/** Stands for the address of the server in rendered records, which are kept for all requests. No data has it. */
const SERVER = `x-standin-server-${randomText("0123456789abcdef", 32, randomInt)}:`;
const OF_SELF = /^_?self(?:_?(?:ur[il]|link|href))?$/i;
const HOLDERS = ["_links", "links", "_meta"];

/** Writes the address of a record into a shown one. */
type SetAddress = (shown: JsonObject, address: string) => JsonObject;

/** The links of records to themselves, as a response shows them. */
export interface SelfLinks {
  /** Renders records with them. */
  rendering(shown: Rendering | undefined): Rendering;
  /** The body with the server's address. */
  placed(json: string, baseUrl: string): string;
}

/** Prepares `self` and `_links.self.href`; undefined where records have none, or no path sends single ones. */
export function createSelfLinks(
  { document }: Pick<OperationContext, "document">,
  collection: BoundCollection,
  { view, action }: BoundOperation,
): SelfLinks | undefined {
  const { references } = document;
  if (document.root[RECORDED_REASONS] !== undefined || action === "remove") return undefined;
  const set = settersOf(references, view ?? collection.record);
  const pathOf = set.length > 0 ? pathTo(collection) : undefined;
  if (!pathOf) return undefined;
  const isPath = collection.operations.some((one) =>
    recordsInExamples(references, one).some((record) => /"_?self\w*":(?:\{"href":)?"\//i.test(stringifyJson(record))),
  );
  const front = `${isPath ? "" : SERVER}${document.basePaths[0] ?? ""}`;
  return {
    rendering: (shown) => ({
      render(value) {
        const path = isJsonObject(value) ? pathOf(value) : undefined;
        const linked =
          path === undefined ? value : set.reduce((one, add) => add(one, front + path), value as JsonObject);
        return shown ? shown.render(linked) : stringifyJson(linked);
      },
    }),
    placed: (json, baseUrl) => (isPath ? json : json.replaceAll(SERVER, () => JSON.stringify(baseUrl).slice(1, -1))),
  };
}

/** The path of a record; undefined where it does not tell all of it. */
function pathTo({ operations, idKey }: BoundCollection): ((record: JsonObject) => string | undefined) | undefined {
  const read = operations.find((one) => one.action === "read" && one.idParameter !== undefined && !one.keys.length);
  if (!read) return undefined;
  const { operation, idParameter, parents } = read;
  const fieldOf = (record: JsonObject, name: string): Json | undefined => {
    if (name === idParameter) return record[idKey];
    const parent = parents.find(({ parameter }) => parameter === name);
    if (!parent || parent.isOfAll) return undefined;
    const holder = parent.holder === undefined ? record : record[parent.holder];
    return isJsonObject(holder) ? holder[parent.field] : undefined;
  };
  return (record) => {
    let path = operation.path.text;
    for (const name of operation.path.names) {
      const value = fieldOf(record, name);
      if (typeof value !== "string" && typeof value !== "number") return undefined;
      path = path.replace(`{${name}}`, encodeURIComponent(value));
    }
    return path;
  };
}

function settersOf(references: References, view: Placed): SetAddress[] {
  const fields = schemaFields(references, view)?.properties ?? new Map<string, Placed>();
  const isText = (schema: Placed | undefined): boolean =>
    schema !== undefined && typesOf(references, schema)[0] === "string";
  return [...fields].flatMap(([name, schema]): SetAddress[] => {
    if (OF_SELF.test(name) && isText(schema)) return [(shown, address) => ({ ...shown, [name]: address })];
    if (!HOLDERS.includes(name)) return [];
    const element = elementSchema(references, schema);
    const own = schemaFields(references, element ?? schema)?.properties;
    if (element) {
      const rel = own?.get("rel");
      if (!rel || !isText(own?.get("href")) || keyword(references, rel, "enum")) return [];
      return [(shown, address) => ({ ...shown, [name]: linkList(shown[name], address) })];
    }
    const self = own?.get("self");
    if (!self) return [];
    const hasHref = isText(schemaFields(references, self)?.properties.get("href"));
    if (!hasHref && !isText(self)) return [];
    return [
      (shown, address) => {
        const held = shown[name];
        const links = isJsonObject(held) ? held : {};
        const link = isJsonObject(links.self) ? { ...links.self, href: address } : { href: address };
        return { ...shown, [name]: { ...links, self: hasHref ? link : address } };
      },
    ];
  });
}

/** `[{ "rel": "self", "href": "..." }]` with the links that an example names beside it. */
function linkList(held: Json | undefined, address: string): Json {
  const links = Array.isArray(held) ? held.filter(isJsonObject) : [];
  const own = { ...(links.find(({ rel }) => rel === "self") ?? { ...links[0], rel: "self" }), href: address };
  return links.some(({ rel }) => rel === "self") ? links.map((one) => (one.rel === "self" ? own : one)) : [own];
}
