import { isSameJson, type Json, type JsonObject, ownValue } from "../../api/json.ts";
import type { Overview } from "../../api/overview.ts";
import { Refusal } from "../../api/refusal.ts";
import { type BatchRequest, MAX_REQUESTS } from "../../records/batch.ts";
import { expectRulesKept } from "../../records/broken-rules.ts";
import { recordPath } from "../../records/record-address.ts";
import { announce } from "../../records/undoing.ts";
import { changeRecord, readRecord } from "../../records/writes.ts";
import { plural } from "../../ui/format.ts";
import { cellValue, guessType } from "../files/cell-types.ts";
import { type CsvCell, readBlock } from "../files/csv-read.ts";
import { changePicked, readTagged, sendAll, sendUndo } from "./bulk.ts";
import { revertingRequests } from "./bulk-requests.ts";
import type { CellPlace } from "./cell-place.ts";
import { idsBetween } from "./ids-between.ts";
import type { RowToolsOptions } from "./row-tools-options.ts";
import { idOf } from "./selection.ts";

export type TableAround = RowToolsOptions & { readonly overview: Overview };

/** Sets one cell. */
export function setCell(around: TableAround, { row, field = "" }: CellPlace, value: Json): Promise<void> {
  return setField(around, { id: idOf(around.records.at(row), around.idKey) ?? "", field }, value);
}

/** Sets one field of a record, wherever it is in the table. */
export async function setField(
  { collection, overview }: TableAround,
  { id, field }: { readonly id: string; readonly field: string },
  value: Json,
): Promise<void> {
  const path = recordPath(collection, id);
  const was = await readRecord(path);
  if (isSameJson(ownValue(was.value, field), value)) return;
  expectRulesKept(overview, collection, { [field]: value }, was.value);
  await changeRecord(path, was, "PATCH", { [field]: value });
}

/** Gives all picked records the value of one cell. */
export async function fillPicked(around: TableAround, { row, field = "" }: CellPlace): Promise<void> {
  const record = around.records.at(row);
  if (record) await changePicked(around, { field, value: ownValue(record, field) });
}

/** Puts a block of cells into the table, its first one at a place: all of it in one change, or nothing. */
export async function pasteBlock(around: TableAround, place: CellPlace, text: string): Promise<void> {
  const { collection, overview, total } = around;
  const block = readBlock(text);
  const rows = total - place.row;
  if (block.length > rows) throw refusal(`The block has ${plural(block.length, "row")}, and only ${rows} are here.`);
  if (block.length > MAX_REQUESTS) throw refusal(`The block has more than ${plural(MAX_REQUESTS, "row")}.`);
  const values = valuesOf(around, place, block);
  const ids = await idsBetween(around, place.row, place.row + block.length - 1);
  const records = await readTagged(collection, ids);
  const requests = records.flatMap(({ path, value, etag }, at): BatchRequest[] => {
    const changed = Object.entries(values[at] ?? {}).filter(([name, one]) => !isSameJson(ownValue(value, name), one));
    if (changed.length === 0) return [];
    const body = Object.fromEntries(changed);
    expectRulesKept(overview, collection, body, value);
    return [{ method: "PATCH", path, headers: { "If-Match": etag }, body }];
  });
  if (requests.length === 0) return;
  const { responses, write } = await sendAll(requests);
  const cells = requests.reduce((sum, { body }) => sum + Object.keys(body as JsonObject).length, 0);
  const undo = () => sendUndo(revertingRequests(records, requests, responses));
  announce(`Pasted ${plural(cells, "cell")} into ${collection}`, write, undo);
}

/** The new values of each row. */
function valuesOf({ columns, idKey }: TableAround, { field }: CellPlace, block: (readonly CsvCell[])[]): JsonObject[] {
  const first = columns.findIndex(({ name }) => name === field);
  const width = Math.max(...block.map(({ length }) => length));
  const targets = columns.slice(first, first + width);
  if (targets.length < width) {
    throw refusal(`The block has ${plural(width, "column")}, and only ${targets.length} are here.`);
  }
  if (targets.some(({ name }) => name === idKey)) throw refusal("An id never changes. Paste beside it.");
  return block.map((cells, row) =>
    Object.fromEntries(
      cells.map((cell, at): [string, Json] => {
        const { name = "", types = [] } = targets[at] ?? {};
        const read = cellValue(cell, guessType([cell.text], types));
        if (read.kind === "problem") throw refusal(`${name} in row ${row + 1} of the block: ${read.message}.`);
        return [name, read.kind === "value" ? read.value : null];
      }),
    ),
  );
}

function refusal(message: string): Refusal {
  return new Refusal(0, "", "Nothing was changed", message);
}
