import type { Json } from "../../../base/json/json.ts";
import { type FieldType, integerUpTo, type RecordOption, type TypeOption, type ValueType } from "./value-type.ts";

/** The option that C# has a type for, null apart; undefined for values that are left as JSON. */
export function csharpOption(type: ValueType): TypeOption | undefined {
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
export function commonRecord(type: ValueType): RecordOption | undefined {
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
