import { readdirSync } from "node:fs";
import { join } from "node:path";

/** What other processes of a build write and remove meanwhile. */
const OF_OTHERS = ["clients", "console", "docs", "guide"];

/** The files of a build, without pages and clients: their paths in its folder. */
export function builtFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !OF_OTHERS.includes(name))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(folder, entry.name) : [entry.name]));
}

function filesIn(folder, name) {
  return readdirSync(join(folder, name), { recursive: true, encoding: "utf8" }).map((file) => join(name, file));
}
