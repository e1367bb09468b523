import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isJsonObject, type JsonObject, parseJson } from "../../base/json/json.ts";

/** Folders with generated or third-party code. */
const SKIPPED = new Set(["node_modules", "dist", "build", "out", "coverage", "vendor"]);
const MAX_DEPTH = 5;
const MAX_BYTES = 1_000_000;

export interface SourceText {
  /** Relative to the project, with slashes. */
  readonly file: string;
  readonly text: string;
}

/** A project folder, whose code is read and never run. */
export class Project {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = resolve(folder);
  }

  /** The text of a file; undefined when there is none. */
  read(file: string): string | undefined {
    try {
      return readFileSync(resolve(this.folder, file), "utf8");
    } catch {
      return undefined;
    }
  }

  /** The JSON object in a file; undefined when it is missing, broken or another value. */
  readObject(file: string): JsonObject | undefined {
    try {
      const value = parseJson(this.read(file) ?? "");
      return isJsonObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  isFolder(path: string): boolean {
    return statSync(resolve(this.folder, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
  }

  bytesOf(file: string): number {
    return statSync(resolve(this.folder, file), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** The JavaScript and TypeScript of the project, without that of projects inside it. */
  code(): SourceText[] {
    return this.#walk("", 0)
      .sort()
      .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && this.bytesOf(file) <= MAX_BYTES)
      .map((file) => ({ file, text: this.read(file) ?? "" }));
  }

  #walk(folder: string, depth: number): string[] {
    const entries = readdirSync(join(this.folder, folder), { withFileTypes: true });
    if (depth > 0 && entries.some(({ name }) => name === "package.json")) return [];
    return entries.flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) return [path];
      const isWalked =
        entry.isDirectory() && depth < MAX_DEPTH && !entry.name.startsWith(".") && !SKIPPED.has(entry.name);
      return isWalked ? this.#walk(path, depth + 1) : [];
    });
  }
}

/** The line, from 1, of the first place that names a key of a JSON text; undefined if none does. */
export function lineOfKey(text: string, key: string): number | undefined {
  const at = text.indexOf(`${JSON.stringify(key)}:`);
  return at === -1 ? undefined : text.slice(0, at).split("\n").length;
}
