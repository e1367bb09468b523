import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeLine, type JournalLine } from "../../src/store/file/journal/journal-format.ts";
import { createFolder } from "../support/cli.ts";
import { asFile } from "./place.ts";

export const JOURNAL = ".standin/db.json.journal";

export function hashOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The text of a journal whose files were these at version `v`. */
export function journalText(base: Readonly<Record<string, string>>, lines: readonly JournalLine[], v = 1): string {
  const hashes = Object.fromEntries(
    Object.entries(base).map(([file, text]) => [file, text === "" ? "" : hashOf(text)]),
  );
  return [{ standin: 1, v, base: hashes }, ...lines].map((line) => encodeLine(JSON.stringify(line))).join("");
}

/** Puts a journal where a crashed process would have left it. */
export function leaveJournal(folder: string, text: string | Buffer, file = JOURNAL): void {
  mkdirSync(join(folder, ".standin"), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** A folder as a crash leaves it: a data file, and a journal of changes that are not in it. */
export function crashedFolder(database: unknown, lines: readonly JournalLine[]): string {
  const folder = createFolder({ "db.json": asFile(database) });
  leaveJournal(folder, journalText({ "db.json": asFile(database) }, lines));
  return folder;
}

export function journalIn(folder: string): Buffer {
  return readFileSync(join(folder, JOURNAL));
}
