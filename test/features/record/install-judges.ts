import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const HERE = join(import.meta.dirname, "judges");
/** Kept for the next run; a new version of a judge is installed anew. */
const INSTALLED = resolve("node_modules/.cache/judges");
const LOCK = "package-lock.json";
const run = promisify(execFile);

/** Redocly's and Prism's command lines, installed from the registry; a reason where that is not possible. */
export async function installJudges(): Promise<{ readonly redocly: string; readonly prism: string } | string> {
  const lock = join(INSTALLED, "node_modules", ".of-lock.json");
  if (!existsSync(lock) || readFileSync(lock, "utf8") !== readFileSync(join(HERE, LOCK), "utf8")) {
    rmSync(INSTALLED, { recursive: true, force: true });
    mkdirSync(INSTALLED, { recursive: true });
    for (const file of ["package.json", LOCK]) cpSync(join(HERE, file), join(INSTALLED, file));
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries", "1"];
    try {
      await run("npm", ["ci", ...flags], { cwd: INSTALLED });
    } catch (thrown) {
      const { stderr = "" } = thrown as { readonly stderr?: string };
      return /^npm error code (\S+)/m.exec(stderr)?.[1] ?? String(thrown);
    }
    cpSync(join(HERE, LOCK), lock);
  }
  const modules = join(INSTALLED, "node_modules");
  return {
    redocly: join(modules, "@redocly/cli/bin/cli.js"),
    prism: join(modules, "@stoplight/prism-cli/dist/index.js"),
  };
}
