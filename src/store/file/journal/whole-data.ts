import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyJson } from "../../../base/json/exact/stringify.ts";
import type { JsonObject } from "../../../base/json/json.ts";
import type { Layout } from "../layout.ts";
import type { JournalContent, WholeNote } from "./journal-format.ts";
import { replay } from "./replay.ts";

/** All data after the last line of a journal, if the journal has it: no file is needed then. */
export function wholeData(layout: Layout, journal: JournalContent): JsonObject | undefined {
  const at = journal.lines.findLastIndex((line) => "whole" in line);
  if (at === -1) return undefined;
  const { whole } = journal.lines[at] as WholeNote;
  const rest = { ...journal, lines: journal.lines.slice(at + 1) };
  return replay({ layout, loaded: whole, journal: rest, since: new Map() }).database;
}

/** Saves all data beside the files, unless an earlier copy has it. Returns the path of the copy. */
export function saveBesideNow({ folder, versionName }: Layout, database: JsonObject): string {
  const text = `${stringifyJson(database, 2)}\n`;
  const [before = "", after = ""] = versionName("unsaved-TIME").split("TIME");
  const copies = readdirSync(folder).filter((name) => name.startsWith(before) && name.endsWith(after));
  const known = copies.find((name) => readFileSync(join(folder, name), "utf8") === text);
  const copy = join(folder, known ?? `${before}${Date.now()}${after}`);
  if (known === undefined) writeFileSync(copy, text, { flag: "wx" });
  return copy;
}
