import type { Work } from "../../../base/slices.ts";
import type { Member } from "../../../store/store.ts";
import type { DataShape, SchemaType } from "../../inference/data-shape.ts";
import { FILE_TYPE_NAME, holdsFiles, isFileShape } from "../../inference/file-shape.ts";
import type { CollectionRules } from "../../rules/rules.ts";
import type { DescribedMember, Description } from "../description.ts";
import type { Definitions } from "../rules/definitions.ts";
import { SchemaTypes } from "../rules/schema-types.ts";
import { commentText, remarkOn } from "./remark.ts";
import { type FieldType, integerUpTo, type TypeOption, type ValueType } from "./value-type.ts";

/** Remarks on the fields of the outermost object. */
type FieldRemark = (field: string, shape: DataShape) => string | undefined;

/** Ids that neither the rules nor the data tell anything of. */
const ANY_ID: ValueType = [{ kind: "integer", size: 64 }, { kind: "text" }];

const FILE_TYPE: NamedType = {
  typeName: FILE_TYPE_NAME,
  idKey: undefined,
  type: [
    {
      kind: "record",
      fields: [
        { name: "name", type: [{ kind: "text" }], isRequired: true },
        { name: "type", type: [{ kind: "text" }], isRequired: true, remark: "A media type: image/png." },
        { name: "size", type: [{ kind: "integer", size: 64 }], isRequired: true, remark: "In bytes." },
        { name: "sha256", type: [{ kind: "text" }], isRequired: true },
        { name: "url", type: [{ kind: "text" }], isRequired: true, remark: "Where the server sends the content." },
      ],
    },
  ],
};

interface Facts {
  readonly member: DescribedMember;
  readonly rules: CollectionRules;
  readonly description: Description;
}

/** The types of a database, ready to be written in any language. */
export interface DescribedTypes {
  readonly members: readonly (NamedType & Pick<Member, "name" | "kind">)[];
  /** Types that others refer to by their names. */
  readonly named: readonly NamedType[];
}

export interface NamedType {
  /** The primary key field of the collection that it belongs to; undefined for that of a singleton. */
  readonly idKey: string | undefined;
  readonly typeName: string;
  readonly type: ValueType;
}

/** May pause after each member. */
export function* describeTypes(description: Description): Work<DescribedTypes> {
  const { members, definitions } = description;
  const described: DescribedTypes["members"][number][] = [];
  for (const member of members) {
    described.push({ ...member, type: memberType(member, description) });
    yield;
  }
  const types = { members: described, named: definitions ? definitionTypes(definitions, members) : [] };
  return members.some(({ shape }) => holdsFiles(shape)) ? withFileType(types) : types;
}

/** The types with that of stored files. */
export function withFileType({ members, named }: DescribedTypes): DescribedTypes {
  return { members, named: [...named.filter((one) => one !== FILE_TYPE), FILE_TYPE] };
}

/** The type of a collection's records, or of a singleton. */
export function memberType(member: DescribedMember, description: Description): ValueType {
  const { name, shape, rules } = member;
  const { definitions } = description;
  if (rules && definitions) return ruledType({ member, rules, description }, definitions);
  return shapeType(shape, (field, { format }) => remarkOn(description, name, { field, format }));
}

function definitionTypes(definitions: Definitions, members: readonly DescribedMember[]): NamedType[] {
  const owners = new Map<string, SchemaTypes>();
  for (const member of members) if (member.rules) owners.set(member.name, new SchemaTypes(member, definitions));
  const idKeys = new Map(members.map(({ name, idKey }) => [name, idKey]));
  return definitions.all.map(({ typeName, member, schema }) => ({
    typeName,
    idKey: idKeys.get(member),
    type: owners.get(member)?.typeOf(schema) ?? [],
  }));
}

/**
 * The type of records that keep the rules. The data adds the id, types that the rules leave open, and fields that the
 * rules allow without a word about them.
 */
function ruledType(facts: Facts, definitions: Definitions): ValueType {
  const { member, rules } = facts;
  const records = new SchemaTypes(member, definitions).recordsOf(rules.schema);
  const named = new Set(records.flatMap((one) => (one.kind === "record" ? one.fields.map(({ name }) => name) : [])));
  const idKeys = member.idKey === undefined || named.has(member.idKey) ? [] : [member.idKey];
  return records.map((record) => {
    if (record.kind !== "record") return record;
    const seen = record.isClosed ? [] : [...member.shape.fields.keys()].filter((name) => !named.has(name));
    const further = [...new Set([...idKeys, ...seen])].map((name) => ({ name, type: [], isRequired: false }));
    return {
      ...record,
      fields: [...further.slice(0, idKeys.length), ...record.fields, ...further.slice(idKeys.length)].map((field) =>
        completed(field, facts),
      ),
    };
  });
}

function completed(field: FieldType, { member, rules, description }: Facts): FieldType {
  const { name } = field;
  const isId = name === member.idKey;
  const shape = member.shape.fields.get(name);
  const seen = shape ? shapeType(shape) : isId ? ANY_ID : [];
  const isSeen = field.type.length === 0;
  const reference = rules.references[name]?.collection;
  const remarks = [
    field.remark,
    reference === undefined
      ? remarkOn(description, member.name, { field: name, format: isSeen ? shape?.format : undefined })
      : `Refers to ${commentText(reference)}.`,
    rules.unique.includes(name) ? "Unique." : undefined,
  ].filter((remark) => remark !== undefined);
  return {
    ...field,
    type: isSeen ? seen : field.type,
    isRequired: field.isRequired || (isId && (member.shape.objects === 0 || member.shape.isRequired(name))),
    remark: remarks.length === 0 ? undefined : remarks.join(" "),
  };
}

/** The type of values by the shape they have. */
function shapeType(shape: DataShape, remark?: FieldRemark): ValueType {
  const options = shape.types.map((type) => optionOf(type, shape, remark));
  return shape.nulls > 0 && options.length > 0 ? [...options, { kind: "null" }] : options;
}

function optionOf(type: SchemaType, shape: DataShape, remark: FieldRemark = () => undefined): TypeOption {
  switch (type) {
    case "string":
      return { kind: "text", format: shape.format, choices: shape.choices };
    case "integer":
      return integerUpTo(Math.max(-shape.numbers.least, shape.numbers.greatest));
    case "number":
    case "boolean":
      return { kind: type };
    case "array":
      return { kind: "array", items: shape.items ? shapeType(shape.items) : [] };
    case "object":
      if (isFileShape(shape)) return { kind: "named", name: FILE_TYPE_NAME };
      if (shape.isDictionary) return { kind: "dictionary", values: shapeType(shape.values) };
      return {
        kind: "record",
        fields: [...shape.fields].map(([name, field]) => ({
          name,
          type: shapeType(field),
          isRequired: shape.isRequired(name),
          remark: remark(name, field),
        })),
      };
  }
}
