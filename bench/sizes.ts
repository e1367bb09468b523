import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type * as standin from "../src/app/fetch.ts";

/** A part of the package, and what it may weigh where that is limited. */
export interface Size {
  readonly part: string;
  readonly bytes: number;
  readonly gzipped: number;
  /** Of the gzipped bytes. */
  readonly limit?: number;
}

/** The files that a page loads until the first response, the worker, and each part of the package. */
export async function measureSizes(folder: string): Promise<Size[]> {
  const files = readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
  const parts = [...new Set(files.map(partOf))].sort();
  return [
    weigh("page with standin/fetch", await loadedByPage(folder)),
    { ...weigh("web/worker.js", [read("web/worker.js")]), limit: 400_000 },
    ...parts.map((part) => weigh(`package: ${part}`, files.filter((name) => partOf(name) === part).map(read))),
  ];
}

function partOf(name: string): string {
  if (/\.d\.c?ts$/.test(name)) return "types";
  return /^[^/]+(?=\/)/.exec(name)?.[0] ?? name;
}

function read(name: string): Uint8Array {
  return readFileSync(join("dist", name));
}

function weigh(part: string, files: readonly Uint8Array[]): Size {
  const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0);
  return {
    part,
    bytes: sum(files.map(({ length }) => length)),
    gzipped: sum(files.map((bytes) => gzipSync(bytes, { level: 9 }).length)),
  };
}

/** Every file of the bundle tells when it is loaded. */
const TELL = "(globalThis.loadedFiles ??= []).push(import.meta.url);";

/** Bundled as for a page, with the parts that it loads when it uses them. */
async function loadedByPage(folder: string): Promise<Uint8Array[]> {
  const page = "export { createFetch } from 'standin/fetch';";
  await build({
    stdin: { contents: page, resolveDir: ".", sourcefile: "page.js" },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    minify: true,
    banner: { js: TELL },
  });
  const { createFetch } = (await import(join(folder, "stdin.mjs"))) as typeof standin;
  await using api = await createFetch({ data: { products: [{ id: 1 }] } });
  await api.fetch("/products");
  const { loadedFiles } = globalThis as unknown as { loadedFiles: string[] };
  return loadedFiles.map((url) => Buffer.from(readFileSync(fileURLToPath(url), "utf8").replace(TELL, "")));
}
