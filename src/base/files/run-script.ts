import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { arch, pid, version, versions } from "node:process";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/** Node tells here of each request that comes in. */
const REQUESTS = "http.server.request.start";
/** The first response has been sent by then. */
const KEEP_AFTER_MS = 200;
const CHECKSUM_BYTES = 4;

/** Where compiled code is kept: `name` changes with the script. */
interface KeptCode {
  readonly folder: string;
  readonly name: string;
}

/**
 * Runs a script of the package in sloppy global scope and returns its value, with the code that an earlier process has
 * compiled of it, so that a start takes less time. Node keeps none for ES modules before version 22.8, and then without
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
  if (!cachedData || script.cachedDataRejected) afterFirstRequest(() => keep(script, path, kept));
  return script.runInThisContext();
}

function isOwnScope(): boolean {
  return new Script("globalThis").runInThisContext() === globalThis;
}

/** V8 does not notice that a file was changed, or not written to its end. */
function read(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const data = bytes.subarray(0, -CHECKSUM_BYTES);
    return crc32(data) === bytes.readUInt32LE(data.length) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** With the first request, all that a start needs is compiled. The process may end soon after. */
function afterFirstRequest(act: () => void): void {
  let hasActed = false;
  const actOnce = (): void => {
    if (!hasActed) act();
    hasActed = true;
  };
  const onRequest = (): void => {
    unsubscribe(REQUESTS, onRequest);
    setTimeout(actOnce, KEEP_AFTER_MS).unref();
    process.once("exit", actOnce);
  };
  subscribe(REQUESTS, onRequest);
}

/** Later starts do without it where the package cannot be written to. */
function keep(script: Script, path: string, { folder, name }: KeptCode): void {
  const temporary = `${path}.${pid}`;
  try {
    const data = script.createCachedData();
    const checksum = Buffer.alloc(CHECKSUM_BYTES);
    checksum.writeUInt32LE(crc32(data));
    mkdirSync(folder, { recursive: true });
    try {
      writeFileSync(temporary, Buffer.concat([data, checksum]));
      renameSync(temporary, path);
    } finally {
      // A full disk may have taken a part of it.
      rmSync(temporary, { force: true });
    }
    const others = readdirSync(folder).filter((one) => /^script-/.test(one) && !one.startsWith(name));
    for (const one of others) rmSync(join(folder, one), { force: true });
  } catch {
    // A start that compiles is no worse than the first one.
  }
}
