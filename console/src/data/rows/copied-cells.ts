import { type Json, type JsonObject, ownValue } from "../../api/json.ts";
import type { Column } from "../table/columns.ts";

/** A value as other programs are to get it. */
export function copiedCell(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Rows as spreadsheets exchange them: with tabs between cells, and quotes where a cell has a tab, quote or line end. */
export function copiedRows(records: readonly JsonObject[], columns: readonly Column[]): string {
  const cell = (record: JsonObject, { name }: Column): string => {
    const text = copiedCell(ownValue(record, name));
    return /["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return records.map((record) => columns.map((column) => cell(record, column)).join("\t")).join("\n");
}
