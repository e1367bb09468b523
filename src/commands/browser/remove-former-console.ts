import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CONSOLE_FOLDER } from "../../app/page/console-files.ts";
import { PAGE_MARK } from "../../app/page/page-files.ts";

/** Removes files of the console that an earlier run has written and this one has not: their names have a hash. */
export function removeFormerConsole(out: string, base: string, files: ReadonlyMap<string, string>): () => void {
  const folder = `${base.slice(1)}/${CONSOLE_FOLDER}`;
  const former = namesIn(join(out, folder, "start.js"));
  return () => {
    for (const name of former) {
      if (!files.has(`${folder}/${name}`)) rmSync(join(out, folder, name), { force: true });
    }
  };
}

/** The files that a start script of ours names. */
function namesIn(startFile: string): string[] {
  try {
    const text = readFileSync(startFile, "utf8");
    const [, names = ""] = text.startsWith(`// ${PAGE_MARK}`) ? (/^\/\/ Files: (.*)$/m.exec(text) ?? []) : [];
    return names.split(" ").filter((name) => /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(name));
  } catch {
    return [];
  }
}
