import { readFileSync } from "node:fs";
import { build, type Plugin } from "esbuild";
import { expect, test } from "vitest";

interface Part {
  readonly entry: string;
  readonly shared: readonly string[];
}

interface BuildScripts {
  readonly PARTS: Readonly<Record<string, Part>>;
  readonly lent: (shared: readonly string[]) => Plugin;
  readonly webHalves: () => Plugin;
  readonly importsAtOnce: Plugin;
}

// The scripts of the build have no types.
const scripts = ["build-worker-parts", "web-halves", "build-worker"].map((name) => import(`../../scripts/${name}.mjs`));
const { PARTS, lent, webHalves, importsAtOnce }: BuildScripts = Object.assign({}, ...(await Promise.all(scripts)));

/** The names that a part takes from the worker, by module. */
async function borrowed({ entry, shared }: Part): Promise<[string, string[]][]> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    plugins: [lent(shared), webHalves(), importsAtOnce],
  });
  const imports = [...outputFiles[0]!.text.matchAll(/^import \{([^}]*)\} from "([^"]+)";/gm)];
  return imports.map(([, names = "", module = ""]) => [
    module,
    names.split(",").flatMap((name) => name.trim().split(" as ")[0] || []),
  ]);
}

/** The names that the worker lends, by module; undefined for all. */
function lentBy(file: string): Map<string, readonly string[] | undefined> {
  const [, rows = ""] = /const LENT[^=]*= \{\n([^;]*)\n\};/.exec(readFileSync(file, "utf8")) ?? [];
  const entries = [...rows.matchAll(/^ {2}"?([\w/-]+)"?(?:: (?:\{ ([^}]*) \}|\w+))?,$/gm)];
  return new Map(entries.map(([, module = "", names]) => [module, names?.split(", ")]));
}

// A name that is not lent would be undefined, and missed only when its code runs.
test.each(Object.entries(PARTS))("the worker lends its part %s every name that it takes", async (_name, part) => {
  const half = lentBy(part.entry.replace(/\.ts$/, ".worker.ts"));
  const taken = await borrowed(part);
  expect(taken.length).toBeGreaterThan(2);
  const missing = taken.flatMap(([module, names]) => {
    const known = half.get(module);
    return names
      .filter((name) => !half.has(module) || (known && !known.includes(name)))
      .map((name) => `${module}: ${name}`);
  });
  expect(missing).toEqual([]);
});
