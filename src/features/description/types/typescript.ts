import type { DescribedMember, Description } from "../description.ts";
import type { SchemaType, Shape } from "../shape.ts";
import { plain, remarkOn } from "./remark.ts";

const INDENT = "  ";

/** TypeScript for the data: an interface for each member, and `Database` for all of them together. */
export function typescriptOf(description: Description, source: string): string {
  const members = description.members.map((member) => memberText(member, description));
  const keys = description.members.map(
    ({ name, typeName, kind }) => `${INDENT}${propertyName(name)}: ${typeName}${kind === "collection" ? "[]" : ""};`,
  );
  return [
    `// The types of ${plain(source)}, made by: standin types`,
    ...members,
    `export interface Database {\n${keys.join("\n")}\n}`,
    "",
  ]
    .join("\n\n")
    .trimEnd();
}

function memberText(member: DescribedMember, description: Description): string {
  const { typeName, shape } = member;
  // Projects can extend an interface; values that are not only objects need a type.
  if (!shape.isRecord) return `export type ${typeName} = ${typeOf(shape, "")};`;
  return `export interface ${typeName} ${fieldsText(shape, "", (name) => remarkOn(member, name, description))}`;
}

function typeOf(shape: Shape, indent: string): string {
  const types = shape.types.map((type) => typeText(type, shape, indent));
  if (shape.nulls > 0) types.push("null");
  return types.length === 0 ? "unknown" : types.join(" | ");
}

function typeText(type: SchemaType, shape: Shape, indent: string): string {
  switch (type) {
    case "string":
      return shape.choices?.map((choice) => JSON.stringify(choice)).join(" | ") ?? "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return arrayOf(shape.items ? typeOf(shape.items, indent) : "unknown");
    case "object":
      return shape.isDictionary ? `Record<string, ${typeOf(shape.values, indent)}>` : fieldsText(shape, indent);
  }
}

function arrayOf(item: string): string {
  return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
}

function fieldsText(
  shape: Shape,
  indent: string,
  remark: (name: string) => string | undefined = () => undefined,
): string {
  const inner = `${indent}${INDENT}`;
  const lines = [...shape.fields].flatMap(([name, field]) => {
    const text = remark(name);
    const mark = shape.isRequired(name) ? "" : "?";
    return [
      ...(text === undefined ? [] : [`${inner}/** ${text} */`]),
      `${inner}${propertyName(name)}${mark}: ${typeOf(field, inner)};`,
    ];
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${indent}}`;
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
