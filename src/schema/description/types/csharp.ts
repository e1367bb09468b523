import type { Json } from "../../../base/json/json.ts";
import { atOnce, type Work } from "../../../base/slices.ts";
import { pascalCase, TAKEN, typeNamer } from "../type-names.ts";
import { enumText, escapeXml, isEnum, memberNamer, property } from "./csharp-text.ts";
import type { DescribedTypes, NamedType } from "./describe-types.ts";
import { commentText } from "./remark.ts";
import { type FieldType, integerUpTo, type RecordOption, type TypeOption, type ValueType } from "./value-type.ts";

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "DateTimeOffset",
  date: "DateOnly",
  uri: "Uri",
  uuid: "Guid",
};
const VALUE_TYPES = new Set(["int", "long", "double", "bool", "DateTimeOffset", "DateOnly", "Guid", "JsonElement"]);
const INTEGERS = { 32: "int", 64: "long", many: "double" } as const;
/** Rules may refuse null where a missing value is allowed. */
const IGNORED = "    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]\n";

/** C# for the data: a record for each member and for each object inside one, for System.Text.Json. */
export function* csharpOf(types: DescribedTypes, source: string): Work<string> {
  const { texts } = yield* writeTypes(types, enumText, []);
  return [
    `// The types of ${commentText(source)}, made by: standin types --lang csharp`,
    "#nullable enable\n\nusing System;\nusing System.Collections.Generic;\nusing System.Text.Json;\nusing System.Text.Json.Serialization;",
    ...texts,
    databaseText(types),
  ].join("\n\n");
}

/** C# types, and what others need to know about them. */
export interface CsharpTypes {
  /** Records and enumerations. */
  readonly texts: readonly string[];
  /** The type of each member, or of its records. */
  readonly members: readonly string[];
  /** The properties of each record, by its name. */
  readonly records: ReadonlyMap<string, readonly CsharpProperty[]>;
  /** Every name that the types use or declare. */
  readonly names: readonly string[];
}

export interface CsharpProperty {
  /** The name of the field in JSON. */
  readonly field: string;
  readonly name: string;
  /** With a question mark if it may be null. */
  readonly type: string;
}

/** Writes an enumeration for texts that choose from a list. */
type WriteEnum = (typeName: string, choices: readonly string[]) => string;

/** Writes types; none of them gets a name that is taken. */
export function csharpTypes(types: DescribedTypes, writeEnum: WriteEnum, taken: readonly string[] = []): CsharpTypes {
  return atOnce(writeTypes(types, writeEnum, taken));
}

function* writeTypes(types: DescribedTypes, writeEnum: WriteEnum, taken: readonly string[]): Work<CsharpTypes> {
  const writer = new Writer(types, writeEnum, taken);
  for (const member of types.members) {
    writer.addMember(member);
    yield;
  }
  for (const one of types.named) {
    writer.addNamed(one);
    yield;
  }
  return {
    texts: writer.texts,
    members: types.members.map(recordTypeOf),
    records: writer.records,
    names: writer.names,
  };
}

/** The type of the records of a member. */
export function recordTypeOf({ typeName, type }: Pick<NamedType, "typeName" | "type">): string {
  return commonRecord(type) ? typeName : "JsonElement";
}

function databaseText({ members }: DescribedTypes): string {
  const nameOf = memberNamer("Database");
  const lines = members.map((member) => {
    const { name, kind } = member;
    const one = recordTypeOf(member);
    const type = kind === "collection" ? `IReadOnlyList<${one}>` : one;
    return property(name, nameOf(name), VALUE_TYPES.has(type) ? type : `required ${type}`);
  });
  return `public sealed record Database\n{\n${lines.join("\n\n")}\n}`;
}

class Writer {
  readonly texts: string[] = [];
  readonly records = new Map<string, readonly CsharpProperty[]>();
  readonly names: string[];
  readonly #writeEnum: WriteEnum;
  readonly #named: ReadonlyMap<string, ValueType>;
  /** The named types that are types of C#, too. */
  readonly #declared: ReadonlySet<string>;
  /** Named types that are no types of C#, while they are written where they are used. */
  readonly #open = new Set<string>();

  /** Of the member that is being written. */
  #idKey: string | undefined;

  constructor(types: DescribedTypes, writeEnum: WriteEnum, taken: readonly string[]) {
    this.#writeEnum = writeEnum;
    const all = [...types.members, ...types.named];
    this.#named = new Map(all.map(({ typeName, type }) => [typeName, type]));
    this.#declared = new Set([
      ...types.members.filter(({ type }) => commonRecord(type)).map(({ typeName }) => typeName),
      ...types.named.filter(({ type }) => isDeclarable(type)).map(({ typeName }) => typeName),
    ]);
    this.names = [...TAKEN, ...taken, ...all.map(({ typeName }) => typeName)];
  }

  addMember({ typeName, type, idKey }: NamedType): void {
    this.#idKey = idKey;
    const record = commonRecord(type);
    if (record) this.#addRecord(typeName, record);
  }

  addNamed({ typeName, type, idKey }: NamedType): void {
    this.#idKey = idKey;
    const option = csharpOption(type);
    if (option?.kind === "record") this.#addRecord(typeName, option);
    if (option?.kind === "text" && isEnum(option)) this.texts.push(this.#writeEnum(typeName, option.choices));
  }

  /** Keeps its place in front of the records inside it. */
  #addRecord(typeName: string, { fields, isExtensible }: RecordOption): void {
    const place = this.texts.push("") - 1;
    const nameOf = memberNamer(typeName);
    const properties: CsharpProperty[] = [];
    this.records.set(typeName, properties);
    const lines = fields.map((field) => {
      const name = nameOf(field.name);
      const { type, text } = this.#propertyOf(typeName, field, name);
      properties.push({ field: field.name, name, type });
      return text;
    });
    if (isExtensible) {
      lines.push(
        `    [JsonExtensionData]\n    public IDictionary<string, JsonElement>? ${nameOf("other fields")} { get; set; }`,
      );
    }
    this.texts[place] = `public sealed record ${typeName}\n{\n${lines.join("\n\n")}\n}`;
  }

  #propertyOf(typeName: string, field: FieldType, propertyName: string): { type: string; text: string } {
    const { name, type: values, isRequired, remark, isRuled } = field;
    const type = this.#typeOf(values, `${typeName}${pascalCase(name)}`);
    const isNullable = this.#isNullable(values);
    // A new record has no id yet, so it cannot be required.
    const isOptional = !isRequired || isNullable || name === this.#idKey;
    const isValue = VALUE_TYPES.has(type);
    const mayBeNull = isOptional && !(isValue && name === this.#idKey && !isNullable);
    const comment = remark === undefined ? "" : `    /// <summary>${escapeXml(remark)}</summary>\n`;
    const ignored = isRuled && mayBeNull && !isNullable && values.length > 0 ? IGNORED : "";
    const required = isOptional || isValue ? "" : "required ";
    const whole = `${type}${mayBeNull ? "?" : ""}`;
    return { type: whole, text: comment + ignored + property(name, propertyName, required + whole) };
  }

  /** Values of several types are left as JSON. */
  #typeOf(type: ValueType, nestedName: string): string {
    const option = csharpOption(type);
    switch (option?.kind) {
      case "text":
        if (isEnum(option))
          return this.#nested(nestedName, (name) => this.texts.push(this.#writeEnum(name, option.choices)));
        return FORMATS[option.format ?? ""] ?? "string";
      case "integer":
        return INTEGERS[option.size];
      case "number":
        return "double";
      case "boolean":
        return "bool";
      case "array":
        return `IReadOnlyList<${this.#itemType(option.items, nestedName)}>`;
      case "tuple":
        return `IReadOnlyList<${this.#itemType([...option.first, option.rest ?? []].flat(), nestedName)}>`;
      case "dictionary":
        return `IReadOnlyDictionary<string, ${this.#itemType(option.values, nestedName)}>`;
      case "record":
        return this.#nested(nestedName, (name) => this.#addRecord(name, option));
      case "named":
        return this.#declared.has(option.name) ? option.name : this.#undeclared(option.name, nestedName);
      default:
        return "JsonElement";
    }
  }

  #itemType(items: ValueType, nestedName: string): string {
    const type = this.#typeOf(items, nestedName);
    return this.#isNullable(items) && type !== "JsonElement" ? `${type}?` : type;
  }

  #nested(wanted: string, add: (name: string) => void): string {
    const name = typeNamer(this.names)(wanted);
    this.names.push(name);
    add(name);
    return name;
  }

  /** C# has no names for lists, dictionaries and the like; one that contains itself is left as JSON. */
  #undeclared(name: string, nestedName: string): string {
    if (this.#open.has(name)) return "JsonElement";
    this.#open.add(name);
    const type = this.#typeOf(this.#named.get(name) ?? [], nestedName);
    this.#open.delete(name);
    return type;
  }

  #isNullable(type: ValueType, passed: readonly string[] = []): boolean {
    return type.some((option) => {
      if (option.kind === "null") return true;
      if (option.kind !== "named" || passed.includes(option.name)) return false;
      return this.#isNullable(this.#named.get(option.name) ?? [], [...passed, option.name]);
    });
  }
}

function isDeclarable(type: ValueType): boolean {
  const option = csharpOption(type);
  return option?.kind === "record" || (option?.kind === "text" && isEnum(option));
}

/** The option that C# has a type for, null apart; undefined for values that are left as JSON. */
function csharpOption(type: ValueType): TypeOption | undefined {
  const options = type
    .filter(({ kind }) => kind !== "null")
    .map((option) => (option.kind === "literal" ? optionOfLiteral(option.value) : option));
  const [first, ...others] = options;
  if (first === undefined || others.length === 0) return first;
  const sizes = options.map((option) => (option.kind === "integer" ? option.size : undefined));
  if (!sizes.includes(undefined))
    return { kind: "integer", size: sizes.includes("many") ? "many" : sizes.includes(64) ? 64 : 32 };
  if (options.every(({ kind }) => kind === "integer" || kind === "number")) return { kind: "number" };
  const text = JSON.stringify(first);
  return others.every((option) => JSON.stringify(option) === text) ? first : undefined;
}

function optionOfLiteral(value: Json): TypeOption {
  switch (typeof value) {
    case "number":
      return Number.isInteger(value) ? integerUpTo(Math.abs(value)) : { kind: "number" };
    case "boolean":
      return { kind: "boolean" };
    case "string":
      return { kind: "text" };
    default:
      return { kind: "never" };
  }
}

/** One record for all values of a member: of several forms it has all fields, and those required that all forms require. */
function commonRecord(type: ValueType): RecordOption | undefined {
  const records = type.flatMap((option) => (option.kind === "record" ? [option] : []));
  const [only, ...others] = records;
  if (only === undefined || records.length < type.length) return undefined;
  if (others.length === 0) return only;
  const names = [...new Set(records.flatMap(({ fields }) => fields.map(({ name }) => name)))];
  const fieldsOf = (name: string): (FieldType | undefined)[] =>
    records.map(({ fields }) => fields.find((field) => field.name === name));
  return {
    kind: "record",
    fields: names.map((name) => commonField(name, fieldsOf(name))),
    ...(records.some(({ isExtensible }) => isExtensible) && { isExtensible: true as const }),
  };
}

function commonField(name: string, found: readonly (FieldType | undefined)[]): FieldType {
  const fields = found.filter((field) => field !== undefined);
  const isKnown = fields.every(({ type }) => type.length > 0);
  const texts = new Map(fields.flatMap(({ type }) => type).map((option) => [JSON.stringify(option), option]));
  return {
    ...fields[0],
    name,
    type: isKnown ? openTexts([...texts.values()]) : [],
    isRequired: found.every((field) => field?.isRequired),
  };
}

/** Choices of several forms are one list. */
function openTexts(options: readonly TypeOption[]): ValueType {
  const texts = options.filter((option) => option.kind === "text");
  if (texts.length < 2) return options;
  const choices = texts.every(({ isClosed }) => isClosed) ? texts.flatMap((text) => text.choices ?? []) : undefined;
  const isClosed = choices ? { isClosed: true as const } : {};
  const others = options.filter(({ kind }) => kind !== "text");
  return [{ kind: "text", choices: choices && [...new Set(choices)], ...isClosed }, ...others];
}
