import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isJsonObject, type JsonObject, parseJson } from "../../base/json/json.ts";

/** Folders with generated or third-party code. */
const SKIPPED = new Set(["node_modules", "dist", "build", "out", "coverage", "vendor", "target", "bower_components"]);
/** Files that package managers write. */
const LOCK_FILE = /lock\.(?:ya?ml|json)$/;
const READ = /\.(?:[cm]?[jt]s|sh|ya?ml)$|^(?:Dockerfile|Makefile|Procfile)/;
const MAX_DEPTH = 5;
const MAX_FILES = 5000;
const MAX_BYTES = 1_000_000;

export interface SourceText {
  /** Relative to the project, with slashes. */
  readonly file: string;
  readonly text: string;
}

/** A project folder, whose code is read and never run. */
export class Project {
  readonly folder: string;
  #found: string[] | undefined;

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

  /** The relative paths of folders with a package.json of their own, which are projects themselves. */
  parts(): string[] {
    return this.#files
      .filter((file) => file.endsWith("/package.json"))
      .map((file) => file.slice(0, -"/package.json".length));
  }

  /** Selected code, shell scripts and files of CI and containers, without those of parts. */
  sources(isWanted: (text: string) => boolean): SourceText[] {
    const parts = this.parts();
    return this.#files.flatMap((file) => {
      if (!READ.test(basename(file)) || LOCK_FILE.test(file)) return [];
      if (parts.some((part) => file.startsWith(`${part}/`)) || this.bytesOf(file) > MAX_BYTES) return [];
      const text = this.read(file) ?? "";
      return isWanted(text) ? [{ file, text }] : [];
    });
  }

  /** The sorted relative paths of all files; computed once. */
  get #files(): readonly string[] {
    this.#found ??= this.#walk("", 0).sort();
    return this.#found;
  }

  #walk(folder: string, depth: number): string[] {
    const entries = readdirSync(join(this.folder, folder), { withFileTypes: true });
    return entries.slice(0, MAX_FILES).flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) return [path];
      const isHidden = entry.name.startsWith(".") && entry.name !== ".github";
      const isWalked = entry.isDirectory() && depth < MAX_DEPTH && !isHidden && !SKIPPED.has(entry.name);
      return isWalked ? this.#walk(path, depth + 1) : [];
    });
  }
}
