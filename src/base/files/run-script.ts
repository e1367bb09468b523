import { readFileSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { arch, version, versions } from "node:process";
import { Script } from "node:vm";

/** By then, a server has responded, and its start is compiled. */
const KEEP_AFTER_MS = 1000;

/** Where compiled code is kept: `name` changes with the script. */
interface KeptCode {
  readonly folder: string;
  readonly name: string;
}

/**
 * Runs a script of the package in sloppy global scope and returns its value, with the code that an earlier process has
 * compiled of it: a start takes a quarter less. Node keeps none for ES modules before version 22.8, and then without
 * the functions that a start compiles. The script has nothing beyond ASCII.
 */
export function runScript(file: string, kept: KeptCode): unknown {
  const source = readFileSync(file, "latin1");
  // Test runners give modules a global scope of their own; Bun and Deno keep code in other ways.
  if (!isOwnScope() || versions.bun !== undefined || versions.deno !== undefined) {
    const { eval: evaluate } = globalThis;
    return evaluate(`${source}\n//# sourceURL=${file}`);
  }
  const path = join(kept.folder, `${kept.name}-${version}-${arch}`);
  const cachedData = read(path);
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  if (!cachedData || script.cachedDataRejected) setTimeout(() => void keep(script, path, kept), KEEP_AFTER_MS).unref();
  return script.runInThisContext();
}

function isOwnScope(): boolean {
  return new Script("globalThis").runInThisContext() === globalThis;
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Later starts do without it where the package cannot be written to. */
async function keep(script: Script, path: string, { folder, name }: KeptCode): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  try {
    const data = script.createCachedData();
    await mkdir(folder, { recursive: true });
    const file = await open(temporary, "w");
    try {
      await file.writeFile(data);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    const others = (await readdir(folder)).filter((one) => /^script-/.test(one) && !one.startsWith(name));
    await Promise.all(others.map((one) => rm(join(folder, one), { force: true })));
  } catch {
    await rm(temporary, { force: true }).catch(() => {});
  }
}
