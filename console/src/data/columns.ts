import { isJsonObject, type Json, type JsonObject } from "../api/json.ts";
import { type Field, type FieldType, typeOf } from "../api/overview.ts";

export interface Column {
  readonly name: string;
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
  const types = new Map<string, Set<FieldType>>([[idKey, new Set()]]);
  const note = (name: string, type: FieldType): void => {
    const known = types.get(name);
    if (known) known.add(type);
    else types.set(name, new Set([type]));
  };
  for (const field of fields) for (const type of field.types) note(field.name, type);
  for (const record of records) for (const name of Object.keys(record)) note(name, typeOf(record[name] as Json));
  return [...types].map(([name, found]) => {
    const list = [...found];
    const isId = name === idKey;
    const isNumber = !isId && list.every((type) => type === "number" || type === "null");
    const isWide = !isId && list.some((type) => type === "string" || type === "object" || type === "array");
    return { name, types: list, width: widthOf(name, list, isId), isWide, isNumber };
  });
}

/** Ways into nested values that a filter can ask for: `headquarter.lat`, `locations.city`. */
export function nestedPaths(records: readonly JsonObject[], limit = 100): string[] {
  const paths = new Set<string>();
  const walk = (value: Json, prefix: string, depth: number): void => {
    if (paths.size >= limit || depth > 3) return;
    if (Array.isArray(value)) for (const element of value.slice(0, 5)) walk(element, prefix, depth);
    else if (isJsonObject(value)) {
      for (const key of Object.keys(value)) {
        const inner = value[key] as Json;
        const path = `${prefix}.${key}`;
        if (typeof inner === "object" && inner !== null) walk(inner, path, depth + 1);
        else if (paths.size < limit) paths.add(path);
      }
    }
  };
  for (const record of records.slice(0, 50)) {
    for (const key of Object.keys(record)) {
      const value = record[key] as Json;
      if (typeof value === "object" && value !== null) walk(value, key, 1);
    }
  }
  return [...paths];
}

function widthOf(name: string, types: readonly FieldType[], isId: boolean): number {
  const widest = Math.max(...types.map((type) => WIDTHS[type]), 104);
  if (isId) return types.every((type) => type === "number") ? 88 : 200;
  // A long name must be readable, too; a very long one is cut.
  return Math.min(320, Math.max(widest, 48 + name.length * 8));
}
