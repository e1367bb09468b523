import pluralize from "pluralize";
import type { JsonObject } from "../../../base/json/json.ts";
import type { Work } from "../../../base/slices.ts";
import { listContent, reference } from "../../../openapi/write/parts.ts";
import { type DescribedMember, type DescribedRelation, relationsOf } from "../../../schema/description/description.ts";
import { inferredSchema } from "../../../schema/inference/inferred-schema.ts";
import type { ApiFacts } from "./api-facts.ts";
import { completedBody, completedRecord } from "./completed-fields.ts";
import { FILE_REFERENCE } from "./file-content.ts";
import { definitionSchemas } from "./rules/components.ts";
import { RuledSchemas } from "./rules/ruled-schemas.ts";

/** For each member the schema of its records, and of the bodies that make them. */
export function* recordSchemas(members: readonly DescribedMember[], facts: ApiFacts): Work<JsonObject> {
  const { description } = facts;
  const named = new Map(members.map((member) => [member.name, member]));
  const records: JsonObject = {};
  for (const member of members) {
    for (const [name, schema] of entriesOf(member, named, facts)) records[name] = schema;
    yield;
  }
  const ruled = description.members.flatMap(({ rules, ...member }) => (rules ? [{ ...member, rules }] : []));
  return { ...records, ...(description.definitions && definitionSchemas(ruled, description.definitions)) };
}

type Named = ReadonlyMap<string, DescribedMember>;

function entriesOf(member: DescribedMember, members: Named, facts: ApiFacts): [string, JsonObject][] {
  const { description, collections } = facts;
  const relations = relationsOf(description.relations, member.name);
  const refersTo = new Map(relations.filter(({ from }) => from === member.name).map(({ field, to }) => [field, to]));
  const describe = (name: string): string | undefined =>
    refersTo.has(name) ? `Refers to ${refersTo.get(name)}.` : undefined;
  const settings = (member.kind === "collection" && collections.get(member.name)) || {};
  const { rules } = member;
  if (rules) {
    const ruled = new RuledSchemas({ member: { ...member, rules }, description, settings });
    return ruledEntries(member, ruled, { members, relations });
  }
  const inBody = { describe, isBody: true, file: FILE_REFERENCE };
  const record = completedRecord(inferredSchema(member.shape, { describe, file: FILE_REFERENCE }), settings);
  return [
    [member.typeName, withRelated(record, member, { members, relations })],
    [inputName(member), completedBody(asBody(inferredSchema(member.shape, inBody)), settings)],
  ];
}

/** The members that have addresses, and the relations of one of them. */
interface Related {
  readonly members: Named;
  readonly relations: readonly DescribedRelation[];
}

/** Those of a member with rules; bodies that differ from those of new records have their own. */
function ruledEntries(
  member: DescribedMember,
  ruled: RuledSchemas,
  { members, relations }: Related,
): [string, JsonObject][] {
  const { name, typeName } = member;
  const input = ruled.input();
  const text = JSON.stringify(input);
  const parents = relations.flatMap(({ from, field, to }, at) => {
    // Of several fields that refer to one collection, the first is the key of a nested route.
    const isFirst = relations.findIndex((one) => one.from === from && one.to === to) === at;
    const parent = from === name && isFirst ? members.get(to) : undefined;
    return parent ? [[`${typeName}.Input_of_${parent.typeName}`, ruled.input([field])] as const] : [];
  });
  const others = [[`${typeName}.Replacement`, ruled.replacement()] as const, ...parents];
  return [
    [typeName, withRelated(ruled.record(), member, { members, relations })],
    [inputName(member), input],
    ...others.flatMap(([key, schema]): [string, JsonObject][] =>
      JSON.stringify(schema) === text ? [] : [[key, schema]],
    ),
    [`${typeName}.Patch`, ruled.patch()],
  ];
}

/** Type names have no dots, so this name is free. */
function inputName({ typeName }: DescribedMember): string {
  return `${typeName}.Input`;
}

/** The name by which a parent is requested: `company`. */
export function parentName({ to, name }: DescribedRelation): string {
  return name ?? pluralize.singular(to);
}

/** Adds the members that `_embed` and `_expand` put beside a record. */
function withRelated(schema: JsonObject, { name }: DescribedMember, { members, relations }: Related): JsonObject {
  const typeOf = (wanted: string): string | undefined => members.get(wanted)?.typeName;
  const related: [string, JsonObject][] = [];
  for (const relation of relations) {
    const { from, to, isList } = relation;
    const [child, parent] = [typeOf(from), typeOf(to)];
    if (from === name && parent) {
      const one = reference("schemas", parent);
      related.push([
        isList ? (relation.name ?? to) : parentName(relation),
        { ...(isList ? listContent(one) : one), description: "With `_expand`." },
      ]);
    }
    if (to === name && child) {
      related.push([from, { ...listContent(reference("schemas", child)), description: "With `_embed`." }]);
    }
  }
  if (related.length === 0) return schema;
  const own = schema.properties as JsonObject;
  // A field of the record hides the relation of its name.
  return { ...schema, properties: { ...own, ...Object.fromEntries(related), ...own } };
}

/** Records are created from objects only; choices and formats are those of texts. */
function asBody({ enum: _, format: __, ...schema }: JsonObject): JsonObject {
  return { ...schema, type: "object" };
}
