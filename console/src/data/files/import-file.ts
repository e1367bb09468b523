import { isJsonObject, type Json, type JsonObject, parseJson } from "../../api/json.ts";
import type { Field } from "../../api/overview.ts";
import { keepsDigits } from "../editor/values/exact-number.ts";
import { type ColumnType, cellValue, guessType } from "./cell-types.ts";
import { type CsvRow, readCsv } from "./csv-read.ts";
import { unmarkFormula } from "./formula-mark.ts";

/** A file that was read, but whose cells are still texts where it is CSV. */
export type ImportFile =
  | {
      readonly kind: "csv";
      readonly columns: readonly ImportColumn[];
      readonly rows: readonly CsvRow[];
      readonly problems: readonly PlaceProblem[];
    }
  | {
      readonly kind: "json";
      readonly records: readonly JsonObject[];
      /** For each record where it is in the file. */
      readonly places: readonly string[];
      readonly problems: readonly PlaceProblem[];
    };

export interface ImportColumn {
  readonly name: string;
  /** The type of its cells, unless another one is chosen. */
  readonly type: ColumnType;
}

export interface PlaceProblem {
  /** Such as "Line 7"; empty for the whole file. */
  readonly place: string;
  readonly message: string;
}

export interface ReadRecords {
  readonly records: readonly JsonObject[];
  /** The cells of each record that cannot be read as the type of their column, by name. */
  readonly rejected?: readonly Readonly<Record<string, string>>[];
  readonly places: readonly string[];
  readonly problems: readonly PlaceProblem[];
}

/** Reads the text of a file: JSON if it begins like a list or an object, else CSV. */
export function readImport(text: string, fields: readonly Field[]): ImportFile {
  return /^\s*[[{]/.test(text) ? readJson(text) : readTable(text, fields);
}

/** The records of a file, with each column read as the type chosen for it. */
export function recordsIn(file: ImportFile, types: Readonly<Record<string, ColumnType>>): ReadRecords {
  if (file.kind === "json") return file;
  const problems = [...file.problems];
  const { columns } = file;
  const chosen = columns.map((column) => typeOf(column, types));
  const records: JsonObject[] = [];
  const places: string[] = [];
  const rejected: Record<string, string>[] = [];
  for (const { line, cells } of file.rows) {
    const place = `Line ${line}`;
    const pairs: [string, Json][] = [];
    const wrong: [string, string][] = [];
    for (const [at, { name }] of columns.entries()) {
      const cell = cells[at];
      const read = cell && cellValue(cell, chosen[at] as ColumnType);
      if (read?.kind === "value") pairs.push([name, read.value]);
      if (read?.kind !== "problem") continue;
      problems.push({ place, message: `${name}: ${read.message}.` });
      wrong.push([name, cell?.text ?? ""]);
    }
    rejected.push(Object.fromEntries(wrong));
    records.push(Object.fromEntries(pairs));
    places.push(place);
  }
  return { records, rejected, places, problems };
}

/** The type that was chosen for a column, else the one that was guessed. */
export function typeOf({ name, type }: ImportColumn, types: Readonly<Record<string, ColumnType>>): ColumnType {
  return (Object.hasOwn(types, name) && types[name]) || type;
}

function readTable(text: string, fields: readonly Field[]): ImportFile {
  const { rows: all, problems: found } = readCsv(text);
  const problems = found.map(({ line, message }) => ({ place: `Line ${line}`, message }));
  const [head, ...rows] = all;
  const names = head?.cells.map((cell) => unmarkFormula(cell.text.trim())) ?? [];
  if (!head) problems.push({ place: "", message: "There is nothing in it." });
  else if (rows.length === 0) problems.push({ place: "", message: "It has a line with names, and no records below." });
  for (const [at, name] of names.entries()) {
    const place = `Line ${head?.line}`;
    if (name === "") problems.push({ place, message: `Column ${at + 1} has no name.` });
    else if (names.indexOf(name) < at) problems.push({ place, message: `Two columns are called ${name}.` });
  }
  for (const { line, cells } of rows) {
    if (cells.length === names.length) continue;
    const there = cells.length === 1 ? "There is 1 cell" : `There are ${cells.length} cells`;
    const message = `${there}; the first line has ${names.length}.`;
    problems.push({ place: `Line ${line}`, message });
  }
  const known = new Map(fields.map((field) => [field.name, field.types]));
  const columns = names.map((name, at) => ({ name, type: guessType(textsAt(rows, at), known.get(name)) }));
  return { kind: "csv", columns, rows, problems };
}

function* textsAt(rows: readonly CsvRow[], at: number): Generator<string> {
  for (const { cells } of rows) yield cells[at]?.text.trim() ?? "";
}

/** A list of records, one record, or one record on each line. */
function readJson(text: string): ImportFile {
  try {
    const value = JSON.parse(text) as Json;
    const all = Array.isArray(value) ? value : [value];
    return jsonFile(
      all.map((record, at) => ({ record, place: `Record ${at + 1}` })),
      text,
    );
  } catch (thrown) {
    const lines = text.split(/\r\n|\r|\n/).map((line, at) => ({ line, place: `Line ${at + 1}` }));
    const filled = lines.filter(({ line }) => line.trim() !== "");
    const [first] = filled;
    const isLines = filled.length > 1 && first && isJsonObject(parseJson(first.line));
    if (isLines) {
      return jsonFile(
        filled.map(({ line, place }) => ({ record: parseJson(line), place })),
        text,
      );
    }
    const message = `This is not valid JSON: ${(thrown as Error).message}`;
    return { kind: "json", records: [], places: [], problems: [{ place: "", message }] };
  }
}

/** Whole numbers that would lose digits. Texts are skipped. */
function longNumbers(text: string): Set<string> {
  if (!/\d{16}/.test(text)) return new Set();
  const tokens = text.match(/"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi) ?? [];
  return new Set(tokens.filter((token) => !token.startsWith('"') && !keepsDigits(token)));
}

function jsonFile(all: readonly { record: Json | undefined; place: string }[], text: string): ImportFile {
  const problems: PlaceProblem[] = [...longNumbers(text)].map((number) => ({
    place: "",
    message: `${number} has more digits than a number keeps. Write it in quotes, as a text.`,
  }));
  const records: JsonObject[] = [];
  const places: string[] = [];
  for (const { record, place } of all) {
    if (isJsonObject(record)) {
      records.push(record);
      places.push(place);
    } else {
      problems.push({ place, message: record === undefined ? "This is not valid JSON." : "This is not an object." });
    }
  }
  if (all.length === 0) problems.push({ place: "", message: "The list is empty." });
  return { kind: "json", records, places, problems };
}
