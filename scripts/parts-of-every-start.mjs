import { readdirSync, readFileSync } from "node:fs";
import { tsImport } from "tsx/esm/api";

/** An `import()` that a door awaits while it opens; those behind an arrow or `??=` run later. */
const AWAITED = /^(?!.*(?:=>|\?\?=)).*\bimport\("\.\/([^"]+)"\)/gm;

/**
 * The source files that the server loads at every start besides what it imports: the command, and the parts that the doors
 * of those features open that are on by default.
 */
export async function partsOfEveryStart() {
  const { FEATURES } = await tsImport("../src/features/list.ts", import.meta.url);
  const names = FEATURES.filter(isOnByDefault).map(({ name }) => `name: "${name}"`);
  const folders = readdirSync("src/features", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const parts = folders.flatMap(({ name: folder }) => {
    const door = readFileSync(`src/features/${folder}/feature.ts`, "utf8");
    if (!names.some((name) => door.includes(name))) return [];
    return [...door.matchAll(AWAITED)].map(([, file]) => `src/features/${folder}/${file}`);
  });
  return ["src/commands/serve.ts", ...new Set(parts)];
}

/** Asks the feature itself, with the defaults of its options. */
function isOnByDefault({ isOn, options }) {
  const values = Object.fromEntries(Object.entries(options).map(([key, option]) => [key, option.default]));
  return isOn?.(values, { place: "", isShared: false, given: {}, note() {} }) ?? true;
}
