import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "vite";
import type { TestProject } from "vitest/node";
import { builtPackage } from "./build.ts";

/**
 * The sources that tests import, compiled once for a whole run. Node runs them as they are: vitest would transform each of
 * them, send it to every worker, and put a getter in front of whatever one imports from another.
 */
const PLACE = "STANDIN_TEST_SOURCES";
const SOURCES = resolve("src");
const FLAGS = ["--noCheck", "--emitDeclarationOnly", "false", "--declaration", "false", "--sourceMap"];

/** Called by vitest once, before all workers. Coverage counts lines of the sources themselves, and a watch follows them. */
export async function setup({ config }: TestProject): Promise<(() => void) | undefined> {
  if (config.watch || config.coverage.enabled) return undefined;
  const place = `${builtPackage()}-sources`;
  const args = [
    "node_modules/typescript/bin/tsc",
    "-p",
    "tsconfig.build.json",
    ...FLAGS,
    "--outDir",
    join(place, "src"),
  ];
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit" }), "close");
  if (code !== 0) throw new Error(`The sources could not be compiled (${code}).`);
  cpSync("package.json", join(place, "package.json"));
  process.env[PLACE] = place;
  return () => rmSync(place, { recursive: true, force: true });
}

/** Leads imports of `src/` to what was compiled. */
export function compiledSources(): Plugin {
  return {
    name: "standin:compiled-sources",
    enforce: "pre",
    resolveId(id, importer) {
      const place = process.env[PLACE];
      if (place === undefined || importer === undefined || !/^\.{1,2}\/.*\.ts$/.test(id)) return undefined;
      const path = relative(SOURCES, resolve(dirname(importer), id));
      return path.startsWith("..") ? undefined : join(place, "src", path.replace(/\.ts$/, ".js"));
    },
  };
}
