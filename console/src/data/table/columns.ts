import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { type Field, type FieldType, typeOf } from "../../api/overview.ts";

/** The kind of a field's values, as far as filters differ by it. */
export type FieldKind = "number" | "boolean" | "date" | "date-time" | "text" | "object";

/** A field, or a path into one, that a filter can ask about. */
export interface KnownField {
  readonly name: string;
  readonly kind: FieldKind;
  /** Whether it leads into an array: to many values, by which no record can be grouped. */
  readonly isMany: boolean;
}

export interface Column extends KnownField {
  readonly types: readonly FieldType[];
  /** In pixels: the table is laid out before its records arrive, and does not jump when they do. */
  readonly width: number;
  /** Takes a share of the room that is left. */
  readonly isWide: boolean;
  /** Right-aligned. */
  readonly isNumber: boolean;
}

/** More columns than this are shown only when the person picks them. */
export const SHOWN_COLUMNS = 40;

const WIDTHS: Readonly<Record<FieldType, number>> = {
  string: 232,
  number: 128,
  boolean: 104,
  null: 104,
  object: 264,
  array: 264,
};

/** The columns of a collection: the id first, then the fields that are known, then those that records brought along. */
export function columnsOf(idKey: string, fields: readonly Field[], records: readonly JsonObject[]): Column[] {
  const seen = new Map<string, Seen>([[idKey, new Seen()]]);
  for (const field of fields) {
    const known = seenAt(seen, field.name);
    for (const type of field.types) known.types.add(type);
    if (field.format === "date-time") known.texts.add("date-time");
  }
  for (const record of records) {
    for (const name of Object.keys(record)) seenAt(seen, name).note(record[name] as Json);
  }
  return [...seen].map(([name, found]) => {
    const list = [...found.types];
    const isId = name === idKey;
    const isNumber = !isId && list.every((type) => type === "number" || type === "null");
    const isWide = !isId && list.some((type) => type === "string" || type === "object" || type === "array");
    return { name, kind: found.kind, isMany: false, types: list, width: widthOf(name, list, isId), isWide, isNumber };
  });
}

/** The values of one field so far. */
class Seen {
  readonly types = new Set<FieldType>();
  /** The forms of its texts. */
  readonly texts = new Set<FieldKind>();

  note(value: Json): void {
    this.types.add(typeOf(value));
    if (typeof value === "string") this.texts.add(formOf(value));
  }

  get kind(): FieldKind {
    const [type, ...others] = [...this.types].filter((one) => one !== "null");
    if (others.length > 0) return "text";
    if (type === "number" || type === "boolean" || type === "object") return type;
    const [form = "text"] = this.texts;
    return type === "string" && this.texts.size === 1 ? form : "text";
  }
}

function formOf(text: string): FieldKind {
  const [, time] = /^\d{4}-\d\d-\d\d($|T\d\d:\d\d)/.exec(text.slice(0, 40)) ?? [];
  if (time === undefined) return "text";
  return time === "" ? "date" : "date-time";
}

function seenAt(seen: Map<string, Seen>, name: string): Seen {
  const known = seen.get(name) ?? new Seen();
  seen.set(name, known);
  return known;
}

/** Ways into nested values that a filter can ask for: `headquarter.lat`, `locations.city`. */
export function nestedPaths(records: readonly JsonObject[], limit = 100): KnownField[] {
  const paths = new Map<string, Seen>();
  const many = new Set<string>();
  const walk = (value: Json, prefix: string, depth: number): void => {
    if (paths.size >= limit || depth > 3) return;
    if (Array.isArray(value)) {
      many.add(prefix);
      for (const element of value.slice(0, 5)) walk(element, prefix, depth);
    } else if (isJsonObject(value)) {
      for (const key of Object.keys(value)) {
        const inner = value[key] as Json;
        const path = `${prefix}.${key}`;
        if (typeof inner === "object" && inner !== null) walk(inner, path, depth + 1);
        else if (paths.size < limit) seenAt(paths, path).note(inner);
      }
    }
  };
  for (const record of records.slice(0, 50)) {
    for (const key of Object.keys(record)) {
      const value = record[key] as Json;
      if (typeof value === "object" && value !== null) walk(value, key, 1);
    }
  }
  const isMany = (name: string): boolean => [...many].some((prefix) => name.startsWith(`${prefix}.`));
  return [...paths].map(([name, { kind }]) => ({ name, kind, isMany: isMany(name) }));
}

function widthOf(name: string, types: readonly FieldType[], isId: boolean): number {
  const widest = Math.max(...types.map((type) => WIDTHS[type]), 104);
  if (isId) return types.every((type) => type === "number") ? 88 : 200;
  // A long name must be readable, too; a very long one is cut.
  return Math.min(320, Math.max(widest, 48 + name.length * 8));
}
