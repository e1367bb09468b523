import { isJsonObject, type Json, type JsonObject, parseJson, stringifyJson } from "../../../base/json/json.ts";
import type { DataFormat } from "./data-format.ts";

interface Cell {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** The first name, and the delimiter behind it. */
const FIRST_NAME = /^(?:"(?:[^"]|"")*"|[^,;\t\r\n]*)([,;\t])/;
/** Not `007` or `+49`: numbers of people, articles and telephones lose digits as numbers. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
const BOOLEAN = /^(true|false)$/i;

/**
 * Records in CSV (RFC 4180), the names of their fields in the first line. A column has numbers, true and false, or JSON if all of
 * its cells are such, otherwise texts. A cell in quotes is a text, unless the names are in quotes, too. An empty one is no value.
 */
export const csvFormat: DataFormat = {
  isTable: true,
  parse(text) {
    const [header = [], ...rows] = readRows(text.replace(/^\uFEFF/, ""));
    const isAllQuoted = header.every(({ isQuoted }) => isQuoted);
    const readers = header.map((_, column) =>
      readerFor(
        rows.flatMap((row) => row[column] ?? []),
        isAllQuoted,
      ),
    );
    return rows.map((row) => {
      const cells = header.map(({ text: name }, column) => [name, row[column], readers[column]] as const);
      const given = cells.filter(([, cell]) => cell && (cell.text !== "" || (cell.isQuoted && !isAllQuoted)));
      return Object.fromEntries(given.map(([name, cell, read]) => [name, read?.(cell?.text ?? "") ?? null]));
    });
  },
  render(value) {
    const records = Array.isArray(value) ? value.filter(isJsonObject) : [];
    const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
    const lines = records.map((record) => columns.map((name) => cellOf(record, name)).join(","));
    return columns.length === 0 ? "" : `${[columns.map(nameCell).join(","), ...lines].join("\n")}\n`;
  },
};

function readRows(text: string): Cell[][] {
  const delimiter = FIRST_NAME.exec(text)?.[1] ?? ",";
  const pattern = cellPattern(delimiter);
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const [found, quoted, plain = "", end = ""] = pattern.exec(text) ?? [];
    if (found === undefined) throw new Error(`line ${lineOf(text, at)}: a quoted cell does not end as it should.`);
    const cell = { text: quoted?.replaceAll('""', '"') ?? plain, isQuoted: quoted !== undefined };
    const names = rows[0]?.length ?? Number.POSITIVE_INFINITY;
    // The first save would drop it.
    if (row.length >= names && cell.text !== "") {
      throw new Error(
        `line ${lineOf(text, at)}: more cells than the ${names} names in the first line. A cell with ${JSON.stringify(delimiter)} needs double quotes.`,
      );
    }
    row.push(cell);
    if (end === delimiter && pattern.lastIndex < text.length) continue;
    if (row.length > 1 || row[0]?.text !== "") rows.push(row);
    row = [];
  }
  return rows;
}

/** A cell, and the delimiter or end of line behind it. */
function cellPattern(delimiter: string): RegExp {
  const plain = `[^${delimiter}\\r\\n]`;
  return new RegExp(`(?:"((?:[^"]|"")*)"|((?!")${plain}+)?)(${delimiter}|\\r\\n|\\n|\\r|$)`, "y");
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

/** Reads the cells of a column by the type that all of them have. */
function readerFor(cells: readonly Cell[], isAllQuoted: boolean): (text: string) => Json {
  const given = cells.filter(({ text }) => text !== "");
  const isPlain = isAllQuoted || given.every(({ isQuoted }) => !isQuoted);
  const all = (test: (text: string) => boolean): boolean => given.length > 0 && given.every(({ text }) => test(text));
  if (isPlain && all((text) => NUMBER.test(text) && keepsDigits(text))) return Number;
  if (isPlain && all((text) => BOOLEAN.test(text))) return (text) => text.toLowerCase() === "true";
  return all(isNested) ? (text) => (text === "" ? "" : parseJson(text)) : (text) => text;
}

/** Numbers with more digits than a double has stay texts. */
function keepsDigits(text: string): boolean {
  return Number.isFinite(Number(text)) && text.replace(/e.*$/i, "").replace(/\D/g, "").length <= 15;
}

function isNested(text: string): boolean {
  try {
    return /^[{[]/.test(text) && parseJson(text) !== undefined;
  } catch {
    return false;
  }
}

function cellOf(record: JsonObject, name: string): string {
  const value = Object.hasOwn(record, name) ? record[name] : undefined;
  if (value === undefined || value === null) return "";
  return typeof value === "number" || typeof value === "boolean" ? String(value) : quoted(textOf(value));
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : stringifyJson(value);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Names are in quotes only where they must be: quoted names mean that quotes say nothing about types. */
function nameCell(name: string): string {
  return /[",;\t\r\n]/.test(name) ? quoted(name) : name;
}
