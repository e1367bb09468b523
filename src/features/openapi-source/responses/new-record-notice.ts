import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { nounOf, plainName, wordsIn } from "../../../openapi/bind/words.ts";
import type { Placed, References } from "../../../schema/references.ts";
import type { Id } from "../../../store/ids.ts";
import { keyword, schemaFields, typesOf } from "../schema-fields.ts";

const IDS = ["id", "entityid", "objectid", "resourceid", "recordid", "newid", "createdid"];
const PLACES = ["location", "href", "uri", "url", "self", "link", "resourceurl", "resourceuri"];

/** The body of a create that is not the new record, but says where it is: `{ "entity_id": 7, "location": "https://..." }`. */
export type NewRecordNotice = (record: Json, location: string | undefined) => string;

/** Undefined where the body names neither the id nor the address of the new record. */
export function createNewRecordNotice(
  references: References,
  { name, idKey }: BoundCollection,
  { schema, body }: { readonly schema: Placed | undefined; readonly body: Json | undefined },
): NewRecordNotice | undefined {
  if (schema && isIdOfNew(references, schema, name)) {
    return (record) => stringifyJson(inTypeOf(references, schema, (isJsonObject(record) ? record[idKey] : "") as Id));
  }
  const fields = [...(schema ? (schemaFields(references, schema)?.properties ?? []) : fieldsOfExample(body))];
  const ids = fields.filter(([field]) => [...IDS, `${nounOf(name)}id`, plainName(idKey)].includes(plainName(field)));
  const places = fields.filter(
    ([field, one]) => PLACES.includes(plainName(field)) && typesOf(references, one).includes("string"),
  );
  if (!isJsonObject(body) || ids.length + places.length === 0) return undefined;
  return (record, location) => {
    const value: JsonObject = { ...body };
    const id = isJsonObject(record) ? record[idKey] : undefined;
    for (const [field, one] of id === undefined ? [] : ids) {
      // `{ "Id": { "id": 7 } }`
      const inner = schemaFields(references, one)?.properties.get("id");
      const fitting = inTypeOf(references, inner ?? one, id as Id);
      value[field] = inner ? { ...(isJsonObject(value[field]) && value[field]), id: fitting } : fitting;
    }
    for (const [field] of places) if (location !== undefined) value[field] = location;
    return stringifyJson(value);
  };
}

/** The fields of a body that only an example describes. */
function fieldsOfExample(body: Json | undefined): [string, Placed][] {
  return Object.entries(isJsonObject(body) ? body : {}).map(([name, value]) => [
    name,
    { value: { type: typeof value }, place: "" },
  ]);
}

/** A text or a number that is called "Order ID". */
function isIdOfNew(references: References, schema: Placed, name: string): boolean {
  const types = typesOf(references, schema);
  const isScalar = types.length > 0 && types.every((type) => ["string", "integer", "number"].includes(type));
  const noun = nounOf(wordsIn(name).at(-1) ?? "");
  return (
    isScalar &&
    ["title", "description"].some((key) => {
      const words = wordsIn(String(keyword(references, schema, key)).split(/[.,(]/, 1)[0] ?? "");
      return words.some((word, at) => word === noun && ["id", "identifier", "uuid"].includes(words[at + 1] ?? ""));
    })
  );
}

function inTypeOf(references: References, schema: Placed, id: Id): Id {
  const isText = typesOf(references, schema).includes("string");
  return isText ? String(id) : /^\d+$/.test(String(id)) ? Number(id) : id;
}
