import type { DescribedMember } from "../../../schema/description/description.ts";
import type { DescribedTypes } from "../../../schema/description/types/describe-types.ts";
import type { TypeOption, ValueType } from "../../../schema/description/types/value-type.ts";
import type { SchemaType } from "../../../schema/inference/data-shape.ts";

/** The facts about a field that decide how records are filtered by it. */
export interface FieldFacts {
  readonly name: string;
  readonly types: readonly SchemaType[];
  readonly format: string | undefined;
}

/** The fields of a member's records, by the rules where there are any, and otherwise by the data. */
export function fieldsOf({ name, shape, rules }: DescribedMember, types: DescribedTypes): FieldFacts[] {
  if (!rules) return [...shape.fields].map(([field, { types, format }]) => ({ name: field, types, format }));
  const records = types.members.find((member) => member.name === name)?.type ?? [];
  const fields = new Map<string, FieldFacts>();
  for (const record of records) {
    for (const field of record.kind === "record" ? record.fields : []) {
      const options = flat(field.type, types);
      const found = new Set([...(fields.get(field.name)?.types ?? []), ...options.flatMap(schemaTypes)]);
      if (found.has("number")) found.delete("integer");
      const format = options.map((option) => (option.kind === "text" ? option.format : undefined)).find(Boolean);
      fields.set(field.name, { name: field.name, types: [...found], format });
    }
  }
  return [...fields.values()];
}

/** Without names: those of a type may lead to others. */
function flat(type: ValueType, types: DescribedTypes, passed: readonly string[] = []): TypeOption[] {
  return type.flatMap((option) => {
    if (option.kind !== "named") return [option];
    if (passed.includes(option.name)) return [];
    const named = [...types.members, ...types.named].find(({ typeName }) => typeName === option.name);
    return flat(named?.type ?? [], types, [...passed, option.name]);
  });
}

function schemaTypes(option: TypeOption): SchemaType[] {
  switch (option.kind) {
    case "null":
    case "never":
    case "named":
      return [];
    case "text":
      return ["string"];
    case "literal":
      return literalType(option.value);
    case "array":
    case "tuple":
      return ["array"];
    case "record":
    case "dictionary":
      return ["object"];
    default:
      return [option.kind];
  }
}

function literalType(value: unknown): SchemaType[] {
  if (typeof value === "number") return [Number.isInteger(value) ? "integer" : "number"];
  if (typeof value === "boolean") return ["boolean"];
  return Array.isArray(value) ? ["array"] : ["object"];
}
