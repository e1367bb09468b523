import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { StartError } from "../../base/errors.ts";
import { packageFile } from "../../base/files/package-file.ts";
import { PAGE_MARK } from "./page-files.ts";

/** The folder of the console's files below the base: the address that the console has on a server, too. */
export const CONSOLE_FOLDER = "__console";
const MAIN_SCRIPT = /<script type="module" crossorigin src="(\/__console\/[^"]+)"><\/script>/;

/** The files of the console for a page whose API is at `base`, by their paths. */
export async function consoleFiles(base: string): Promise<Map<string, string>> {
  const built = await builtConsole();
  const page = built.get("index.html");
  if (page === undefined) throw new StartError("This package has no console. Build it: npm run build.");
  const main = MAIN_SCRIPT.exec(page)?.[1];
  if (main === undefined) throw new StartError("The console of this package has no script. Build it: npm run build.");
  const folder = `${base.slice(1)}/${CONSOLE_FOLDER}`;
  const depth = folder.split("/").length;
  return new Map([
    ...[...built].map(([name, text]) => [`${folder}/${name}`, text] as const),
    [`${folder}/index.html`, staticPage(page)],
    [`${folder}/start.js`, startText("../".repeat(depth), besidePage(main), [...built.keys()])],
  ]);
}

/** The texts of its files, by their paths; none where it was not built. */
async function builtConsole(): Promise<ReadonlyMap<string, string>> {
  const folder = fileURLToPath(packageFile("dist/console"));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    await Promise.all(
      paths.map(async (path) => [relative(folder, path).replaceAll("\\", "/"), await readFile(path, "utf8")] as const),
    ),
  );
}

/** The page may lie in any folder, and starts the worker before the console sends its first request. */
function staticPage(page: string): string {
  return page
    .replace(MAIN_SCRIPT, '<script type="module" src="./start.js"></script>')
    .replace("<html ", '<html data-host="static" ')
    .replaceAll('"/__console/', '"./');
}

function startText(root: string, main: string, names: readonly string[]): string {
  return [
    `// ${PAGE_MARK}.`,
    `// Files: ${names.join(" ")}`,
    `import { start } from "${root}standin.js";`,
    "await start();",
    `await import("${main}");`,
    "",
  ].join("\n");
}

function besidePage(path: string): string {
  return path.replace(/^\/__console\//, "./");
}
