import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { StartError } from "../../base/errors.ts";
import { packageFile } from "../../base/files/package-file.ts";
import { builtText, PAGE_MARK } from "./page-files.ts";

/** The folder of the console's files below the base: the address that the console has on a server, too. */
export const CONSOLE_FOLDER = "__console";
const BUILT = "console";
const MAIN_SCRIPT = /<script type="module" crossorigin src="(\/__console\/[^"]+)"><\/script>/;

/** The files of the console for a page whose API is at `base`, by their paths. */
export function consoleFiles(base: string): Map<string, string> {
  const folder = `${base.slice(1)}/${CONSOLE_FOLDER}`;
  const depth = folder.split("/").length;
  const files = builtNames().map((name) => [`${folder}/${name}`, builtText(`${BUILT}/${name}`)] as const);
  const page = builtText(`${BUILT}/index.html`);
  const main = MAIN_SCRIPT.exec(page)?.[1];
  if (main === undefined) throw new StartError("The console of this package has no script. Build it: npm run build.");
  return new Map([
    ...files,
    [`${folder}/index.html`, staticPage(page)],
    [`${folder}/start.js`, startText("../".repeat(depth), relative(main), builtNames())],
  ]);
}

function builtNames(): string[] {
  try {
    const entries = readdirSync(fileURLToPath(packageFile(`dist/${BUILT}`)), { recursive: true, withFileTypes: true });
    const root = fileURLToPath(packageFile(`dist/${BUILT}/`));
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length).replaceAll("\\", "/"));
  } catch {
    throw new StartError(`dist/${BUILT} is missing from this package. Build it: npm run build.`);
  }
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
