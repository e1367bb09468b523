import { isJsonObject, type Json, type JsonObject } from "../../../../base/json/json.ts";
import { reference } from "../../../../openapi/write/parts.ts";
import type { Definitions, RuledMember } from "../../../../schema/description/rules/definitions.ts";
import type { Schema } from "../../../../schema/references.ts";
import { mapInnerSchemas } from "../../../../schema/rules/inner-schemas.ts";

/** Keywords that have no place or no meaning in a component. */
const LEFT_OUT = new Set([
  ...["$schema", "$id", "$anchor", "$dynamicAnchor", "$ref", "$dynamicRef"],
  ...["$comment", "$defs", "definitions", "contentSchema"],
]);

const NOTES = new Set(["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"]);

/** A schema of the rules as a part of the document: references lead to its components. */
export function componentSchema(schema: Schema, member: RuledMember, definitions: Definitions): JsonObject | boolean {
  if (typeof schema === "boolean") return schema;
  const published = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !LEFT_OUT.has(keyword)));
  const made = mapInnerSchemas(published, (inner) => componentSchema(inner, member, definitions));
  const targets = [schema.$ref, schema.$dynamicRef].flatMap((ref): Json[] => {
    if (typeof ref !== "string") return [];
    const target = definitions.resolve(member.name, ref);
    if (typeof target === "boolean") return [target];
    return [reference("schemas", definitions.nameOf(member.name, target) ?? nestedName(member))];
  });
  const [only, ...others] = targets;
  if (only === undefined) return typed(made);
  const isAlone = others.length === 0 && Object.keys(made).every((keyword) => NOTES.has(keyword));
  if (isAlone && isJsonObject(only)) return { ...only, ...made };
  // Many tools read nothing but notes beside a reference.
  return { ...made, allOf: [...((made.allOf as Json[] | undefined) ?? []), ...targets] };
}

/** Generators of clients want a type beside values, although it follows from them. */
function typed(schema: JsonObject): JsonObject {
  const { type, const: only, enum: values = only === undefined ? undefined : [only] } = schema;
  if (type !== undefined || !Array.isArray(values)) return schema;
  const types = new Set(values.map((value) => typeof value));
  const [found] = types;
  return types.size === 1 && (found === "string" || found === "boolean") ? { type: found, ...schema } : schema;
}

/** The schemas that the rules refer to, by their names. */
export function definitionSchemas(members: readonly RuledMember[], definitions: Definitions): JsonObject {
  const byName = new Map(members.map((member) => [member.name, member]));
  const nested = members.filter(({ name }) => definitions.isNested(name));
  return Object.fromEntries([
    ...nested.map((member) => [nestedName(member), componentSchema(member.rules.schema, member, definitions)]),
    ...definitions.all.flatMap(({ typeName, member, schema }) => {
      const owner = byName.get(member);
      return owner ? [[typeName, componentSchema(schema, owner, definitions)]] : [];
    }),
  ]) as JsonObject;
}

/** Records inside others, which the server adds nothing to. */
function nestedName({ typeName }: RuledMember): string {
  return `${typeName}.Nested`;
}
