import { typeNamer } from "../type-names.ts";
import type { DescribedTypes } from "../types/describe-types.ts";
import type { TypeOption, ValueType } from "../types/value-type.ts";

/** The same types, none of them with one of these names: `Promise` becomes `Promise2`. */
export function renameTypes(types: DescribedTypes, taken: readonly string[]): DescribedTypes {
  const all = [...types.members, ...types.named].map(({ typeName }) => typeName);
  const clashing = all.filter((name) => taken.includes(name));
  if (clashing.length === 0) return types;
  const freeNameOf = typeNamer([...taken, ...all]);
  const names = new Map(clashing.map((name) => [name, freeNameOf(name)]));
  const rename = <T extends { readonly typeName: string; readonly type: ValueType }>(one: T): T => ({
    ...one,
    typeName: names.get(one.typeName) ?? one.typeName,
    type: renameIn(one.type, names),
  });
  return { members: types.members.map(rename), named: types.named.map(rename) };
}

function renameIn(type: ValueType, names: ReadonlyMap<string, string>): ValueType {
  return type.map((option): TypeOption => {
    switch (option.kind) {
      case "named":
        return { ...option, name: names.get(option.name) ?? option.name };
      case "array":
        return { ...option, items: renameIn(option.items, names) };
      case "dictionary":
        return { ...option, values: renameIn(option.values, names) };
      case "tuple":
        return {
          ...option,
          first: option.first.map((one) => renameIn(one, names)),
          rest: option.rest && renameIn(option.rest, names),
        };
      case "record":
        return { ...option, fields: option.fields.map((field) => ({ ...field, type: renameIn(field.type, names) })) };
      default:
        return option;
    }
  });
}
