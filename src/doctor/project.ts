import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { isJsonObject, type JsonObject, parseJson } from "../json.ts";

/** Folders that hold what others made. */
const SKIPPED = new Set(["node_modules", "dist", "build", "out", "coverage", "vendor", "target", "bower_components"]);
const READ = /\.(?:[cm]?[jt]s|sh|ya?ml)$|^(?:Dockerfile|Makefile|Procfile)/;
const MAX_DEPTH = 5;
const MAX_FILES = 5000;
const MAX_BYTES = 1_000_000;

export interface SourceText {
  /** Relative to the project, with slashes. */
  readonly file: string;
  readonly text: string;
}

/** A folder that is read and never run. */
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

  /** A JSON object; undefined when the file is missing, broken or something else. */
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

  /** Code, shell scripts and files of CI and containers whose text is wanted. */
  sources(isWanted: (text: string) => boolean): SourceText[] {
    const found: SourceText[] = [];
    let files = 0;
    const walk = (folder: string, depth: number): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        const isHidden = entry.name.startsWith(".") && entry.name !== ".github";
        if (entry.isDirectory() && depth < MAX_DEPTH && !isHidden && !SKIPPED.has(entry.name)) walk(path, depth + 1);
        if (!entry.isFile() || !READ.test(entry.name) || ++files > MAX_FILES) continue;
        if (statSync(path).size > MAX_BYTES) continue;
        const text = readFileSync(path, "utf8");
        if (isWanted(text)) found.push({ file: relative(this.folder, path).replaceAll("\\", "/"), text });
      }
    };
    walk(this.folder, 0);
    return found.sort((a, b) => (a.file < b.file ? -1 : 1));
  }
}
