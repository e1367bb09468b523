import type { Work } from "../../../base/slices.ts";
import type { DescribedTypes, NamedType } from "./describe-types.ts";
import { commentText } from "./remark.ts";
import { type RecordOption, recordOf, type TupleOption, type TypeOption, type ValueType } from "./value-type.ts";

const INDENT = "  ";

/** TypeScript for the data: an interface for each member, and `Database` for all of them together. */
export function* typescriptOf({ members, named }: DescribedTypes, source: string): Work<string> {
  const declared: string[] = [];
  for (const one of [...members, ...named]) {
    declared.push(declaration(one));
    yield;
  }
  const keys = members.map(
    ({ name, typeName, kind }) => `${INDENT}${propertyName(name)}: ${typeName}${kind === "collection" ? "[]" : ""};`,
  );
  return [
    `// The types of ${commentText(source)}, made by: standin types`,
    ...declared,
    `export interface Database {\n${keys.join("\n")}\n}`,
    "",
  ]
    .join("\n\n")
    .trimEnd();
}

/** The interfaces and types of members and of what they refer to. */
export function declarations({ members, named }: DescribedTypes): string[] {
  return [...members, ...named].map(declaration);
}

/** Projects can extend an interface; values that are not only objects need a type. */
function declaration({ typeName, type }: NamedType): string {
  const record = recordOf(type);
  return record
    ? `export interface ${typeName} ${fieldsText(record, "")}`
    : `export type ${typeName} = ${typeText(type, "")};`;
}

function typeText(type: ValueType, indent: string): string {
  if (type.length === 0) return "unknown";
  return [...new Set(type.map((option) => optionText(option, indent)))].join(" | ");
}

function optionText(option: TypeOption, indent: string): string {
  switch (option.kind) {
    case "null":
    case "boolean":
    case "number":
    case "never":
      return option.kind;
    case "integer":
      return "number";
    case "text":
      return option.choices?.map((choice) => JSON.stringify(choice)).join(" | ") ?? "string";
    case "literal":
      return JSON.stringify(option.value);
    case "array":
      return arrayOf(typeText(option.items, indent));
    case "tuple":
      return tupleText(option, indent);
    case "record":
      return fieldsText(option, indent);
    case "dictionary": {
      const values = typeText(option.values, indent);
      // Only this form may refer to itself.
      return isNaming(option.values) ? `{ [name: string]: ${values} }` : `Record<string, ${values}>`;
    }
    case "named":
      return option.name;
  }
}

function arrayOf(item: string): string {
  return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
}

function tupleText({ first, minItems, rest }: TupleOption, indent: string): string {
  const elements = first.map((type, at) => {
    const text = typeText(type, indent);
    if (at < minItems) return text;
    return text.includes(" | ") ? `(${text})?` : `${text}?`;
  });
  return `[${[...elements, ...(rest ? [`...${arrayOf(typeText(rest, indent))}`] : [])].join(", ")}]`;
}

function fieldsText({ fields, isExtensible }: RecordOption, indent: string): string {
  const inner = `${indent}${INDENT}`;
  const lines = fields.flatMap(({ name, type, isRequired, remark }) => [
    ...(remark === undefined ? [] : [`${inner}/** ${remark} */`]),
    `${inner}${propertyName(name)}${isRequired ? "" : "?"}: ${typeText(type, inner)};`,
  ]);
  if (isExtensible) lines.push(`${inner}[name: string]: unknown;`);
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${indent}}`;
}

function isNaming(type: ValueType): boolean {
  return type.some((option) => {
    switch (option.kind) {
      case "named":
        return true;
      case "array":
        return isNaming(option.items);
      case "tuple":
        return [...option.first, option.rest ?? []].some(isNaming);
      case "dictionary":
        return isNaming(option.values);
      default:
        return false;
    }
  });
}

export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
