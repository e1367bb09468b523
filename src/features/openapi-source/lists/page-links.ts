import { isJsonObject, type Json, stringifyJson } from "../../../base/json/json.ts";
import { addressKeyOf } from "../../../openapi/bind/query/envelope-roles.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { elementSchema, schemaFields } from "../schema-fields.ts";
import type { RoleValue } from "./role-value.ts";

const RELATIONS = [
  ["self", "selfUrl"],
  ["first", "firstUrl"],
  ["prev", "previousUrl"],
  ["next", "nextUrl"],
  ["last", "lastUrl"],
] as const;

/** `[{ "rel": "next", "href": "..." }]`, with the words that the schema of `rel` allows; the example where no parameter turns pages. */
export function createPageLinks(
  references: References,
  { schema, example = [] }: { readonly schema: Placed | undefined; readonly example: Json | undefined },
): (roleValue: RoleValue) => string {
  const element = schema && elementSchema(references, schema);
  const fields = element && schemaFields(references, element);
  const key = (fields && addressKeyOf(fields)) ?? "href";
  const relation = fields?.properties.get("rel");
  const facts = relation && references.resolve(relation).value;
  const allowed = isJsonObject(facts) && Array.isArray(facts.enum) ? facts.enum.map(String) : undefined;
  const samples = Array.isArray(example) ? example.filter((one) => isJsonObject(one)) : [];
  const isPrevious = allowed?.includes("previous") ?? samples.some(({ rel }) => rel === "previous");
  const isRelative = samples.some((one) => String(one[key]).startsWith("/"));
  return (roleValue) => {
    if (roleValue("firstUrl") === undefined) return stringifyJson(example);
    const links = RELATIONS.flatMap(([word, role]) => {
      const rel = word === "prev" && isPrevious ? "previous" : word;
      const url = allowed?.includes(rel) === false ? undefined : roleValue(role);
      if (url === undefined) return [];
      return [{ ...samples[0], rel, [key]: isRelative ? String(url).replace(/^https?:\/\/[^/]+/, "") : url }];
    });
    return stringifyJson(links);
  };
}
