import { ownValue } from "../../api/json.ts";
import { Refusal } from "../../api/refusal.ts";
import { uploadFile } from "../../api/upload-file.ts";
import { storedFilesIn } from "../../records/stored-file.ts";
import { setField, type TableAround } from "./cell-actions.ts";
import type { CellPlace } from "./cell-place.ts";
import { idOf } from "./selection.ts";

/** A file on its way, and the part of it that has been sent. */
export interface Upload {
  readonly name: string;
  readonly part: number;
}

/** Stores files in a cell that is empty or holds files: one takes the place of another, lists grow. */
export async function dropFiles(
  around: TableAround,
  { row, field = "" }: CellPlace,
  { files, onProgress }: { readonly files: readonly File[]; readonly onProgress: (upload: Upload) => void },
): Promise<void> {
  const record = around.records.at(row);
  // Other clients may move it to another row before the files have arrived.
  const id = idOf(record, around.idKey) ?? "";
  const was = (record && ownValue(record, field)) ?? null;
  const held = storedFilesIn(was) ?? [];
  const isEmpty = was === null || (Array.isArray(was) && was.length === 0);
  if (!isEmpty && held.length === 0) {
    const words = `${field} holds another value. Clear the cell first, or drop the file on one that is empty.`;
    throw new Refusal(0, "", "", words);
  }
  const stored = [];
  for (const file of files) stored.push(await uploadFile(file, (part) => onProgress({ name: file.name, part })));
  const known = around.overview.fields[around.collection]?.find(({ name }) => name === field);
  const isList = Array.isArray(was) || stored.length > 1 || known?.file === "list";
  const [first = null] = stored;
  await setField(around, { id, field }, isList ? [...held, ...stored] : first);
}
