import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runScript } from "../../src/base/files/run-script.ts";
import { builtPackage } from "../support/build.ts";
import { createFolder, serveCli } from "../support/cli.ts";

/** Tells on standard error whether kept code was taken. */
const TELL_KEPT = preload(`
  import { syncBuiltinESMExports } from "node:module";
  import vm from "node:vm";
  vm.Script = class extends vm.Script {
    constructor(source, options) {
      super(source, options);
      if (options?.cachedData) console.error(this.cachedDataRejected ? "rejected" : "taken");
    }
  };
  syncBuiltinESMExports();
`);

/** Writes half of the code, as a disk does that runs full. */
const FULL_DISK = preload(`
  import { syncBuiltinESMExports } from "node:module";
  import fs from "node:fs";
  const { writeFileSync } = fs;
  fs.writeFileSync = (file, data, ...more) => {
    if (!String(file).includes(".compile-cache")) return writeFileSync(file, data, ...more);
    writeFileSync(file, data.subarray(0, data.length >> 1));
    console.error("the disk is full");
    throw new Error("ENOSPC");
  };
  syncBuiltinESMExports();
`);

function preload(script: string): string {
  return `data:text/javascript,${encodeURIComponent(script)}`;
}

const kept = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

/** A copy of the package that nothing has run yet. */
function newPackage(): string {
  const folder = createFolder();
  cpSync(builtPackage(), folder, {
    recursive: true,
    filter: (source) => !/\.compile-cache|node_modules.*node_modules/.test(source),
  });
  return folder;
}

/** Starts and asks for a record: code is kept soon after the first response, at the latest when the process ends. */
async function serveOnce(folder: string, preloaded: string): Promise<string> {
  const data = createFolder({ "db.json": { products: [{ id: 1 }] } });
  const served = await serveCli(
    ["db.json"],
    data,
    { NODE_OPTIONS: `--import ${preloaded}` },
    join(folder, "dist/cli.js"),
  );
  expect(await (await fetch(`${served.url}/products/1`)).json()).toEqual({ id: 1 });
  await served.stop();
  return served.output.stderr;
}

async function start(folder: string): Promise<string> {
  const told = await serveOnce(folder, TELL_KEPT);
  expect(kept(folder).filter((name) => name.endsWith(`${process.version}-${process.arch}`))).toHaveLength(1);
  return told;
}

test("a start keeps its compiled code, which later ones take", async () => {
  const folder = newPackage();
  expect(await start(folder)).not.toMatch(/taken|rejected/);
  expect(await start(folder)).toContain("taken");
});

test("code that is damaged, or of an earlier version, is not taken, and replaced", async () => {
  const folder = newPackage();
  await start(folder);
  const cache = join(folder, ".compile-cache");
  const [name = ""] = kept(cache);
  const file = join(cache, name);
  const whole = readFileSync(file);
  for (const damaged of [Buffer.from("damaged"), whole.subarray(0, -5), flipped(whole)]) {
    writeFileSync(file, damaged);
    writeFileSync(join(cache, "script-00000000-v1.0.0-x64"), "of an earlier version");
    expect(await start(folder)).not.toMatch(/taken|rejected/);
    expect(kept(cache)).toEqual([name]);
    expect(await start(folder)).toContain("taken");
  }
});

test("a full disk leaves nothing of the code behind", async () => {
  const folder = newPackage();
  expect(await serveOnce(folder, FULL_DISK)).toContain("the disk is full");
  expect(kept(join(folder, ".compile-cache"))).toEqual([]);
});

function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed[changed.length >> 1]! ^= 1;
  return changed;
}

test("a script runs where nothing can be kept", async () => {
  const folder = createFolder({
    "script.cjs": '(function (...words) { return ["ran", ...words]; })',
    ".cache": "a file",
  });
  const run = runScript(join(folder, "script.cjs"), { folder: join(folder, ".cache"), name: "script-1" });
  expect((run as (...words: string[]) => unknown)("with", "words")).toEqual(["ran", "with", "words"]);
});
