import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { homedir } from "node:os";
import { dirname, join, posix, relative, resolve } from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { CHILDREN } from "../coverage/children.ts";
import { packedPackage } from "../support/installed-project.ts";

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: object;
  readonly browser: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const { folder, files, size } = packedPackage("standin");
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
const texts = new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
const scripts = files.filter((file) => /^(?:dist|json-server)\/(?!console|guide|clients).*\.[cm]?js$/.test(file));

const imports = await importsByScript();

/** Ajv names its own files in the programs that it can write, which nobody runs. */
const IN_TEXTS = /^ajv(?:-formats)?\/dist\//;

// Coverage is measured with source maps in the package.
describe.skipIf(process.env[CHILDREN] !== undefined)("the package", () => {
  test("has what users need, and nothing of the workshop", () => {
    const beside = files.filter((file) => !file.startsWith("dist/"));
    expect(beside).toEqual([
      "AGENTS.md",
      "LICENSE",
      "README.md",
      "examples.schema.json",
      "json-server/module.d.cts",
      "json-server/module.mjs",
      "json-server/package.json",
      "package.json",
      "schema.json",
    ]);
    const known = /^dist\/(?:.*\.(?:c?js|d\.c?ts|html|css|svg)|LICENSES\.txt|console\/license\.md|clients\/.+)$/;
    const unknown = files.filter((file) => file.startsWith("dist/") && !known.test(file));
    expect(unknown).toEqual([]);
    expect(files.filter((file) => /\b(?:test|bench|fixtures)\b|\.map$/.test(file))).toEqual([]);
  });

  test("is at most 5 MB", () => {
    expect(size).toBeLessThanOrEqual(5_000_000);
  });

  test("no file tells where it was built", () => {
    const places = [resolve("."), homedir()].filter((place) => place !== "/");
    const telling = [...texts].flatMap(([file, text]) =>
      places.some((place) => text.includes(`${place}/`)) ? file : [],
    );
    expect(telling).toEqual([]);
  });

  test("every file that package.json names is there", () => {
    const named = targetsIn([manifest.bin, manifest.exports]);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((file) => !files.includes(posix.normalize(file)))).toEqual([]);
  });

  test("every file that a script imports is there, and every package is a dependency", () => {
    const missing = [...imports].flatMap(([script, names]) =>
      [...names].filter((name) => !IN_TEXTS.test(name) && !isThere(name, script)).map((name) => `${script}: ${name}`),
    );
    expect(scripts.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  test("every dependency is imported", () => {
    const imported = new Set([...imports.values()].flatMap((names) => [...names].map(packageOf)));
    expect(Object.keys(manifest.dependencies).filter((name) => !imported.has(name))).toEqual([]);
  });

  test("the licences of bundled libraries come along", () => {
    const licences = texts.get("dist/LICENSES.txt")!;
    for (const name of ["@modelcontextprotocol/server", "ajv", "path-to-regexp", "zod"]) {
      expect(licences).toMatch(new RegExp(`^${name} \\d`, "m"));
    }
    expect(licences).not.toContain("undefined");
  });
});

test("an install brings at most 100 packages", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean; resolved?: string }>;
  };
  const installed = Object.entries(packages).filter(
    ([place, { dev, devOptional, optional }]) => place !== "" && !dev && !devOptional && !optional,
  );
  expect(installed.length).toBeLessThanOrEqual(100);
  expect(Object.values(packages).filter(({ resolved }) => resolved)).toEqual([]);
});

/** The files in a part of package.json, however deep below its conditions. */
function targetsIn(part: unknown): string[] {
  return typeof part === "string" ? [part] : Object.values(part as object).flatMap(targetsIn);
}

/** The names that each script imports. The parser knows them from text that looks like code, such as generated programs. */
async function importsByScript(): Promise<Map<string, Set<string>>> {
  const found = new Map(scripts.map((script) => [script, new Set<string>()]));
  await build({
    entryPoints: scripts.map((script, index) => ({ in: join(folder, script), out: String(index) })),
    outdir: "unwritten",
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "silent",
    plugins: [
      {
        name: "imports",
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ path, importer, kind }) => {
            if (kind === "entry-point") return undefined;
            found.get(relative(folder, importer).replaceAll("\\", "/"))?.add(path);
            return { path, external: true };
          }),
      },
    ],
  });
  for (const [script, names] of found) {
    // The parser does not know Node's createRequire.
    const text = texts.get(script)!;
    for (const [, name] of text.matchAll(/\brequire[\w$]*\(["`]([\w@#./:-]+)["`]\)/g)) names.add(name!);
  }
  return found;
}

function isThere(name: string, script: string): boolean {
  if (name.startsWith(".")) return existsSync(join(folder, dirname(script), name));
  if (name.startsWith("node:") || builtinModules.includes(name)) return true;
  return packageOf(name) in manifest.dependencies;
}

function packageOf(name: string): string {
  return name.split("/", name.startsWith("@") ? 2 : 1).join("/");
}
