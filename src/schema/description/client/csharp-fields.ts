import { typeNames } from "../type-names.ts";
import type { CsharpProperty, CsharpTypes } from "../types/csharp.ts";
import { csharpText, memberNames } from "../types/csharp-text.ts";

/** Objects inside objects are followed to this depth. */
const MAX_DEPTH = 5;
/** Compared as text on the server, so conditions need the text that is stored. */
const TEXTS = ["DateTimeOffset", "Uri"];
/** The whole of an object, beside its fields: no class can have this name. */
const SELF = "Self";

/** A class for each kind of record with its fields, to compare, sort by and change: `ProductFields.Price.Gte(10)`. */
export function fieldClasses(types: CsharpTypes): string[] {
  const owners = [...new Set(types.members)].filter((name) => types.records.get(name)?.length);
  const names = typeNames(
    owners.map((owner) => `${owner}Fields`),
    types.names,
  );
  return owners.map((owner, at) => {
    const comment = `/// <summary>The fields of ${owner}, for conditions, order and changes.</summary>\n`;
    return comment + new FieldClasses(owner, types).text(names[at]!, owner);
  });
}

class FieldClasses {
  readonly #owner: string;
  readonly #records: CsharpTypes["records"];
  readonly #taken: ReadonlySet<string>;
  /** The records around the one that is being written: a record inside itself has no class. */
  readonly #trail: string[] = [];

  constructor(owner: string, { records, names }: CsharpTypes) {
    this.#owner = owner;
    this.#records = records;
    this.#taken = new Set(names);
  }

  /** A class with the fields of records: those of the owner itself, or of a value of this type at a path. */
  text(className: string, type: string, path: readonly string[] = []): string {
    const record = elementOf(type);
    const properties = this.#records.get(record)!;
    this.#trail.push(record);
    const names = memberNames(
      className,
      properties.map((property) => this.#memberName(property)),
      [SELF],
    );
    const lines = properties.map((property, at) => this.#member(property, names[at]!, path));
    this.#trail.pop();
    const self = path.length > 0 ? [this.#handle(SELF, type, path)] : [];
    return `public static class ${className}\n{\n${[...self, ...lines].join("\n").replace(/^(?=.)/gm, "    ")}\n}`;
  }

  /** A class inside must not hide a type of the same name. */
  #memberName(property: CsharpProperty): string {
    return this.#isClass(property) && this.#taken.has(property.name) ? `${property.name}Fields` : property.name;
  }

  #member(property: CsharpProperty, name: string, path: readonly string[]): string {
    const { field, type } = property;
    const inner = [...path, field];
    return this.#isClass(property) ? this.text(name, type, inner) : this.#handle(name, type, inner);
  }

  #isClass({ type }: CsharpProperty): boolean {
    const record = elementOf(type);
    const hasFields = (this.#records.get(record)?.length ?? 0) > 0;
    return hasFields && this.#trail.length <= MAX_DEPTH && !this.#trail.includes(record);
  }

  #handle(name: string, type: string, path: readonly string[]): string {
    const field = elementOf(type) === "JsonElement" ? "object?" : type;
    const kind = path.length === 1 ? `StandinField<${this.#owner}, ${field}, ` : `StandinPath<${this.#owner}, `;
    const text = csharpText(path.join("."));
    return `public static readonly ${kind}${this.#comparedType(elementOf(type))}> ${name} = new(${text});`;
  }

  #comparedType(type: string): string {
    if (TEXTS.includes(type)) return "string";
    return this.#records.has(type) || type.startsWith("IReadOnly") || type === "JsonElement" ? "object" : type;
  }
}

/** The type that is compared: that of the elements of a list. */
function elementOf(type: string): string {
  const single = type.replace(/\?$/, "");
  const [, element] = /^IReadOnlyList<(.*)>$/.exec(single) ?? [];
  return element === undefined ? single : elementOf(element);
}

/** An enumeration that System.Text.Json 8 reads and writes, too. */
export function portableEnum(typeName: string, choices: readonly string[]): string {
  const names = typeNames(choices, [], "Value");
  const lines = choices.map((choice, at) => `    [EnumMember(Value = ${csharpText(choice)})]\n    ${names[at]},`);
  return `[JsonConverter(typeof(StandinEnumConverter<${typeName}>))]\npublic enum ${typeName}\n{\n${lines.join("\n\n")}\n}`;
}
