import { type Json, type JsonObject, ownValue } from "../../api/json.ts";
import { markFormula } from "./formula-mark.ts";

export interface CsvOptions {
  readonly columns: readonly string[];
  /** Whether texts that a spreadsheet would run are left as they are. */
  readonly keepsFormulas: boolean;
}

/** The lines of a CSV file, as RFC 4180 has it: the names of the columns, then the records. */
export function* csvLines(records: Iterable<JsonObject>, { columns, keepsFormulas }: CsvOptions): Generator<string> {
  const text = keepsFormulas ? (plain: string) => plain : markFormula;
  yield `${columns.map((name) => quoted(text(name))).join(",")}\r\n`;
  for (const record of records) {
    yield `${columns.map((name) => cell(ownValue(record, name), text)).join(",")}\r\n`;
  }
}

/** Nothing and null are empty; an empty text is a pair of quotes. Lists and objects are JSON. */
function cell(value: Json | undefined, text: (plain: string) => string): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value === "" ? '""' : quoted(text(value));
  return typeof value === "object" ? quoted(JSON.stringify(value)) : String(value);
}

function quoted(text: string): string {
  const needsQuotes = /[",;\t|\r\n]|^\s|\s$/.test(text) || text === "";
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}
