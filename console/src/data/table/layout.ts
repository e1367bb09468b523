import { isJsonObject, parseJson } from "../../api/json.ts";
import type { Column } from "./columns.ts";

/** The arrangement of a collection's columns, chosen by hand. */
export interface TableLayout {
  /** Names, without the id, which stays first. Columns that it does not name follow. */
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  /** In pixels. */
  readonly widths: Readonly<Record<string, number>>;
  /** Columns that show their values as they are stored. */
  readonly plain: readonly string[];
}

export const PLAIN_LAYOUT: TableLayout = { order: [], hidden: [], widths: {}, plain: [] };

export const NARROWEST = 64;
export const WIDEST = 960;

export function clampWidth(width: number): number {
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
}

/** Reads a kept layout; anything else than that counts as missing. */
export function parseLayout(text: string | null): TableLayout {
  const kept = text === null ? undefined : parseJson(text);
  if (!isJsonObject(kept)) return PLAIN_LAYOUT;
  const widths = isJsonObject(kept.widths) ? Object.entries(kept.widths) : [];
  return {
    order: texts(kept.order),
    hidden: texts(kept.hidden),
    widths: Object.fromEntries(
      widths.flatMap(([name, width]) => (typeof width === "number" ? [[name, clampWidth(width)]] : [])),
    ),
    plain: texts(kept.plain),
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** The columns in the chosen order, the id first. */
export function orderColumns(columns: readonly Column[], idKey: string, { order }: TableLayout): readonly Column[] {
  if (order.length === 0) return columns;
  const places = new Map(order.map((name, place) => [name, place]));
  const placeOf = ({ name }: Column): number => (name === idKey ? -1 : (places.get(name) ?? order.length));
  return columns.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/**
 * The order of all names after one of those shown has moved to another place among them. Hidden columns keep their
 * neighbours.
 */
export function moveColumn(all: readonly string[], shown: readonly string[], name: string, place: number): string[] {
  const rest = all.filter((one) => one !== name);
  const others = shown.filter((one) => one !== name);
  const next = others[place];
  const last = others.at(-1);
  const at = next === undefined ? rest.indexOf(last ?? "") + 1 : rest.indexOf(next);
  return rest.toSpliced(at, 0, name);
}

/** The columns with the widths that were chosen, which no longer stretch. */
export function sizeColumns(columns: readonly Column[], { widths }: TableLayout): readonly Column[] {
  return columns.map((column) => {
    const width = Object.hasOwn(widths, column.name) ? widths[column.name] : undefined;
    return width === undefined ? column : { ...column, width, isWide: false };
  });
}
