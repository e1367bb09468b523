/**
 * Removes the type declarations that no import of the package can reach: tsc writes one for every source file. The
 * folder that was built into may be given; it is `dist` otherwise.
 */
import { readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { builtFiles } from "./built-files.mjs";

const OUT = resolve(process.argv[2] ?? "dist");
const DOORS = [
  "index",
  "app/fetch",
  "app/vite",
  "app/worker",
  "app/worker-files",
  "app/worker-rules",
  "app/worker-time",
  "app/worker-small",
  "json-server/module",
];

const reached = new Set(DOORS.map((door) => join(OUT, `${door}.d.ts`)));
for (const file of reached) {
  for (const [, target] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
    reached.add(resolve(dirname(file), target.replace(/\.[jt]s$/, ".d.ts")));
  }
}
for (const name of builtFiles(OUT)) {
  const file = join(OUT, name);
  if (name.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
}
