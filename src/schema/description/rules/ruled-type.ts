import type { CollectionRules } from "../../rules/rules.ts";
import type { DescribedMember, Description } from "../description.ts";
import { commentText, remarkOn } from "../types/remark.ts";
import { shapeType } from "../types/shape-type.ts";
import type { FieldType, ValueType } from "../types/value-type.ts";
import type { Definitions } from "./definitions.ts";
import { SchemaTypes } from "./schema-types.ts";

/** Ids that neither the rules nor the data tell anything of. */
const ANY_ID: ValueType = [{ kind: "integer", size: 64 }, { kind: "text" }];

interface Facts {
  readonly member: DescribedMember;
  readonly rules: CollectionRules;
  readonly description: Description;
}

/**
 * The type of records that keep the rules. The data adds the id, types that the rules leave open, and fields that the
 * rules allow without a word about them.
 */
export function ruledType(facts: Facts, definitions: Definitions): ValueType {
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
      ? remarkOn(member.name, name, description, isSeen ? shape?.format : undefined)
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
