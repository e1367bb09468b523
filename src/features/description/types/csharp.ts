import type { DescribedMember, Description } from "../description.ts";
import type { Format, Shape } from "../shape.ts";
import { pascalCase, TAKEN, typeNames } from "../type-names.ts";
import { plain, remarkOn } from "./remark.ts";

const INT_MAX = 2 ** 31 - 1;
/** Beyond these JavaScript has no exact integers, nor has the data. */
const LONG_MAX = Number.MAX_SAFE_INTEGER;
const FORMATS: Readonly<Partial<Record<Format, string>>> = {
  "date-time": "DateTimeOffset",
  date: "DateOnly",
  uri: "Uri",
  uuid: "Guid",
};
const VALUE_TYPES = new Set(["int", "long", "double", "bool", "DateTimeOffset", "DateOnly", "Guid", "JsonElement"]);

/** C# for the data: a record for each member and for each object inside one, for System.Text.Json. */
export function csharpOf(description: Description, source: string): string {
  const writer = new Writer(description);
  for (const member of description.members) writer.addMember(member);
  writer.addDatabase();
  return [
    `// The types of ${plain(source)}, made by: standin types --lang csharp`,
    "#nullable enable\n\nusing System;\nusing System.Collections.Generic;\nusing System.Text.Json;\nusing System.Text.Json.Serialization;",
    ...writer.records,
  ].join("\n\n");
}

class Writer {
  readonly records: string[] = [];
  readonly #description: Description;
  readonly #used: string[];

  constructor(description: Description) {
    this.#description = description;
    this.#used = [...TAKEN, ...description.members.map(({ typeName }) => typeName)];
  }

  addMember(member: DescribedMember): void {
    const { typeName, shape } = member;
    if (!shape.isRecord) return;
    const place = this.records.push("") - 1;
    this.records[place] = this.#recordText(typeName, shape, (name) => remarkOn(member, name, this.#description));
  }

  addDatabase(): void {
    const names = memberNames(
      "Database",
      this.#description.members.map(({ name }) => name),
    );
    const lines = this.#description.members.map(({ name, kind, typeName, shape }, position) => {
      const one = shape.isRecord ? typeName : "JsonElement";
      const type = kind === "collection" ? `IReadOnlyList<${one}>` : one;
      return property(name, names[position]!, VALUE_TYPES.has(type) ? type : `required ${type}`);
    });
    this.records.push(`public sealed record Database\n{\n${lines.join("\n\n")}\n}`);
  }

  #recordText(typeName: string, shape: Shape, remark: (name: string) => string | undefined = () => undefined): string {
    const names = memberNames(typeName, [...shape.fields.keys()]);
    const lines = [...shape.fields].map(([name, field], position) => {
      const type = this.#typeOf(field, `${typeName}${pascalCase(name)}`);
      // A new record has no id yet, so it cannot be required.
      const isOptional = !shape.isRequired(name) || field.nulls > 0 || name === this.#description.idKey;
      const isValue = VALUE_TYPES.has(type);
      const mayBeNull = isOptional && !(isValue && name === this.#description.idKey && field.nulls === 0);
      const text = remark(name);
      const comment = text === undefined ? "" : `    /// <summary>${escapeXml(text)}</summary>\n`;
      const required = isOptional || isValue ? "" : "required ";
      return comment + property(name, names[position]!, `${required}${type}${mayBeNull ? "?" : ""}`);
    });
    return `public sealed record ${typeName}\n{\n${lines.join("\n\n")}\n}`;
  }

  /** Values of several types are left as JSON. */
  #typeOf(shape: Shape, nestedName: string): string {
    const [type, ...others] = shape.types;
    if (type === undefined || others.length > 0) return "JsonElement";
    switch (type) {
      case "string":
        return (shape.format && FORMATS[shape.format]) ?? "string";
      case "integer":
        return shape.largest > LONG_MAX ? "double" : shape.largest > INT_MAX ? "long" : "int";
      case "number":
        return "double";
      case "boolean":
        return "bool";
      case "array":
        return `IReadOnlyList<${this.#itemType(shape.items, nestedName)}>`;
      case "object":
        if (shape.isDictionary) return `IReadOnlyDictionary<string, ${this.#itemType(shape.values, nestedName)}>`;
        return this.#nested(shape, nestedName);
    }
  }

  #itemType(items: Shape | undefined, nestedName: string): string {
    if (!items) return "JsonElement";
    const type = this.#typeOf(items, nestedName);
    return items.nulls > 0 && type !== "JsonElement" ? `${type}?` : type;
  }

  #nested(shape: Shape, wanted: string): string {
    const [name] = typeNames([wanted], this.#used);
    this.#used.push(name!);
    const place = this.records.push("") - 1;
    this.records[place] = this.#recordText(name!, shape);
    return name!;
  }
}

/** Names of properties, unlike each other and unlike their record. */
function memberNames(typeName: string, fields: readonly string[]): string[] {
  return typeNames(fields, [
    typeName,
    "Equals",
    "GetHashCode",
    "GetType",
    "ToString",
    "Clone",
    "MemberwiseClone",
    "PrintMembers",
    "EqualityContract",
  ]);
}

function property(jsonName: string, name: string, type: string): string {
  return `    [JsonPropertyName(${csharpText(jsonName)})]\n    public ${type} ${name} { get; init; }`;
}

/** C# has the escapes of JSON, but for the slash. */
function csharpText(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
