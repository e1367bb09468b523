import type { Json, JsonObject } from "../../../base/json/json.ts";
import { plainName } from "../../../openapi/bind/words.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { elementSchema, schemaFields } from "../schema-fields.ts";

/** Names beside a list that say that it is one of several pages. */
const AROUND = ["hasmore", "totalcount", "total", "count", "nextpage", "nextcursor"];
const OF_COUNTS = ["totalcount", "total", "count"];

interface ListProperty {
  readonly name: string;
  readonly element: Placed;
}

/** The list in an object that stands around it: `{ "data": [...], "has_more": false }`; undefined for other objects. */
export function listPropertyOf(references: References, schema: Placed): ListProperty | undefined {
  const properties = schemaFields(references, schema)?.properties ?? new Map<string, Placed>();
  const lists = [...properties].flatMap(([name, property]): ListProperty[] => {
    const element = elementSchema(references, property);
    return element ? [{ name, element }] : [];
  });
  const isList = [...properties.keys()].some((name) => AROUND.includes(plainName(name)));
  return isList && lists.length === 1 ? lists[0] : undefined;
}

/** The object around a list that is complete. */
export function listObject(
  references: References,
  schema: Placed,
  { around, values }: { readonly around: JsonObject; readonly values: Json[] },
): JsonObject {
  const object = { ...around };
  for (const name of Object.keys(around)) {
    if (plainName(name) === "hasmore") object[name] = false;
    if (OF_COUNTS.includes(plainName(name))) object[name] = values.length;
  }
  const list = listPropertyOf(references, schema);
  return list ? { ...object, [list.name]: values } : object;
}
