import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { ownFile, ownFolder } from "../own-folder.ts";
import { fileNamesIn } from "./open-writers.ts";

/** The second name of a replaced file, as a later process finds it. */
export interface SecondName {
  readonly path: string;
  /** Identifies the file by its name. */
  readonly key: string;
  /** Identifies the file's expected content. */
  readonly hash: string;
  /** We removed the file, so that no data file belongs to this name. */
  readonly isRemoved: boolean;
}

/** Whether a save replaced the file, or removed it together with its collection. */
export type Fate = "former" | "removed";

let count = 0;

/** Creates a second name. From its parts a later process knows the file (`fileKey`) and its content (`shortName`). */
export function createSecondName(anchor: string, parts: string, fate: Fate): string {
  count++;
  const id = [Date.now(), process.pid, count].map((part) => part.toString(16)).join("-");
  return ownFile(anchor, `${parts}-${id}.${fate}`);
}

/** The second names in our folder, newest first. */
export function listSecondNames(anchor: string): SecondName[] {
  const folder = ownFolder(anchor);
  const prefix = `${basename(anchor)}.`;
  const found = fileNamesIn(folder).flatMap((name) => {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    const [, key, hash, time = "", nth = "", fate] =
      /^([0-9a-f]{12})-([0-9a-f]{16})-([0-9a-f]+)-[0-9a-f]+-([0-9a-f]+)\.(former|removed)$/.exec(rest) ?? [];
    if (key === undefined || hash === undefined) return [];
    const age = [time, nth].map((part) => Number.parseInt(part, 16));
    return [{ path: join(folder, name), key, hash, isRemoved: fate === "removed", age }];
  });
  return found.sort(({ age: [a = 0, m = 0] }, { age: [b = 0, n = 0] }) => b - a || n - m);
}

/** A short key for a file name, which may itself have the maximum length. */
export function fileKey(file: string): string {
  return createHash("sha256").update(file).digest("hex").slice(0, 12);
}

export function shortName(hash: string): string {
  return hash.slice(0, 16).padEnd(16, "0");
}
