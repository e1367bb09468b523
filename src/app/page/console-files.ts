import { StartError } from "../../base/errors.ts";
import { unpack } from "../../base/files/unpack.ts";
import { PAGE_MARK } from "./page-files.ts";

/** The folder of the console's files below the base: the address that the console has on a server, too. */
export const CONSOLE_FOLDER = "__console";
const MAIN_SCRIPT = /<script type="module" crossorigin src="(\/__console\/[^"]+)"><\/script>/;

/** The files of the console for a page whose API is at `base`, by their paths. */
export async function consoleFiles(base: string): Promise<Map<string, string>> {
  const built = await unpack("console");
  const page = built?.get("index.html");
  if (!built || page === undefined) throw new StartError("This package has no console. Build it: npm run build.");
  const main = MAIN_SCRIPT.exec(page)?.[1];
  if (main === undefined) throw new StartError("The console of this package has no script. Build it: npm run build.");
  const folder = `${base.slice(1)}/${CONSOLE_FOLDER}`;
  const depth = folder.split("/").length;
  return new Map([
    ...[...built].map(([name, text]) => [`${folder}/${name}`, text] as const),
    [`${folder}/index.html`, staticPage(page)],
    [`${folder}/start.js`, startText("../".repeat(depth), relative(main), [...built.keys()])],
  ]);
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

function relative(path: string): string {
  return path.replace(/^\/__console\//, "./");
}
