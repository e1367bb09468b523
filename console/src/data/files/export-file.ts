import { ask } from "../../api/ask.ts";
import type { JsonObject } from "../../api/json.ts";
import { csvLines } from "./csv-write.ts";
import { type ExportWish, exportRequest } from "./export-request.ts";

/** Reads the records in one request, so that they are of one moment, and makes a file of them. */
export async function exportFile(wish: ExportWish, signal: AbortSignal): Promise<Blob> {
  const { format, idKey, keepsFormulas } = wish;
  const { method, path, body } = exportRequest(wish);
  const { text } = await ask(method, path, body === undefined ? { signal } : { signal, body });
  if (format === "json" && !wish.columns) return new Blob([text], { type: "application/json" });
  const records = JSON.parse(text) as JsonObject[];
  const columns = wish.columns ?? columnsOf(records, idKey);
  if (format === "json") return new Blob([jsonOf(records, columns)], { type: "application/json" });
  return new Blob([...csvLines(records, { columns, keepsFormulas })], { type: "text/csv;charset=utf-8" });
}

/** Every field, the id first, in the order in which records bring them along. */
function columnsOf(records: readonly JsonObject[], idKey: string): string[] {
  const columns = new Set([idKey]);
  for (const record of records) for (const name of Object.keys(record)) columns.add(name);
  return [...columns];
}

/** The server leaves out other fields, unless the list of them is too long for an address. */
function jsonOf(records: readonly JsonObject[], columns: readonly string[]): string {
  return JSON.stringify(
    records.map((record) =>
      Object.fromEntries(columns.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]])),
    ),
    null,
    2,
  );
}
