import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * Installs the packages that a folder of the tests names in a package.json and lock file of its own, and returns where.
 * For those that are too heavy for everybody's `npm ci`, or ask for another Node: `npm run soak` alone wants them.
 */
export function installApart(folder: string): string {
  const place = resolve("node_modules/.cache/apart", folder.replaceAll(/\W/g, "-"));
  if (existsSync(place)) return place;
  mkdirSync(resolve(place, ".."), { recursive: true });
  const making = mkdtempSync(`${place}-`);
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(folder, file), join(making, file));
  try {
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", ["ci", ...quiet], { cwd: making, stdio: ["ignore", "ignore", "pipe"] });
    renameSync(making, place);
  } catch (thrown) {
    rmSync(making, { recursive: true, force: true });
    // Another file may have been faster.
    if (!existsSync(place)) throw thrown;
  }
  return place;
}
