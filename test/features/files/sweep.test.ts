import { readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { MemoryFiles } from "../../../src/features/files/memory-files.ts";
import { Sweep } from "../../../src/features/files/sweep.ts";
import { createStandin, type StandinOptions } from "../../../src/index.ts";
import { askAt } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { runKept } from "../../support/kept-process.ts";

const TEXT = { "Content-Type": "text/plain" };
const DATA = { products: [{ id: 1 }, { id: 2 }] };

async function start(folder: string, options: Partial<StandinOptions> = {}) {
  const api = await createStandin({
    source: join(folder, "db.json"),
    persist: true,
    snapshots: join(folder, "saved"),
    ...options,
  } as StandinOptions);
  onTestFinished(() => api.close());
  const ask = (line: string, body?: unknown, headers?: Record<string, string>) =>
    askAt(api.url, line, { ...(body !== undefined && { body }), ...(headers && { headers }) });
  const put = async (path: string, content: string): Promise<string> => {
    const { body } = await ask(`PUT ${path}/photo`, content, TEXT);
    return (body as { photo: { sha256: string } }).photo.sha256;
  };
  return { api, ask, put };
}

const filesOf = (folder: string) => join(folder, "db.json.files");
const kept = (folder: string, below = "") =>
  readdirSync(join(filesOf(folder), below)).filter((name) => name.length === 64);

/** Makes all files, or those that were set aside, older by days. */
function age(folder: string, days: number, below = ""): void {
  const time = Date.now() / 1000 - days * 86_400;
  for (const name of kept(folder, below)) utimesSync(join(filesOf(folder), below, name), time, time);
}

test("a file that nothing names is set aside after a day, and gone a week later", async () => {
  const folder = createFolder({ "db.json": DATA });
  const { ask, put } = await start(folder, { history: "off" });
  const used = await put("/products/1", "used");
  const unused = await put("/products/2", "unused");
  await ask("DELETE /products/2/photo");
  expect((await ask("POST /__files/clean")).body).toEqual({ kept: 2, trashed: 0, removed: 0 });
  age(folder, 2);
  expect((await ask("POST /__files/clean")).body).toEqual({ kept: 1, trashed: 1, removed: 0 });
  expect([kept(folder), kept(folder, "trash")]).toEqual([[used], [unused]]);
  age(folder, 6, "trash");
  expect((await ask("POST /__files/clean")).body).toMatchObject({ removed: 0 });
  age(folder, 8, "trash");
  expect((await ask("POST /__files/clean")).body).toMatchObject({ removed: 1 });
  expect(kept(folder, "trash")).toEqual([]);
});

test("sandboxes, versions and snapshots keep files; an upload brings one back", async () => {
  const folder = createFolder({ "db.json": DATA });
  const { ask, put } = await start(folder);
  const inHistory = await put("/products/1", "in the history");
  await ask("DELETE /products/1/photo");
  const inSandbox = await put("/__sandbox/a/products/1", "in a sandbox");
  const inSnapshot = await put("/products/2", "in a snapshot");
  await ask("POST /__snapshots__", { name: "one" });
  await ask("DELETE /products/2/photo");
  age(folder, 2);
  expect((await ask("POST /__files/clean")).body).toMatchObject({ kept: 3, trashed: 0 });
  await ask("DELETE /__history");
  await ask("DELETE /__sandboxes/a");
  age(folder, 2);
  expect((await ask("POST /__files/clean")).body).toMatchObject({ kept: 1, trashed: 2 });
  expect(kept(folder)).toEqual([inSnapshot]);
  expect(kept(folder, "trash").sort()).toEqual([inHistory, inSandbox].sort());
  expect(await put("/products/1", "in a sandbox")).toBe(inSandbox);
  expect(kept(folder).sort()).toEqual([inSandbox, inSnapshot].sort());
  expect((await ask("GET /products/1/photo")).text).toBe("in a sandbox");
});

test("a promoted sandbox keeps its file", async () => {
  const folder = createFolder({ "db.json": DATA });
  const { ask, put } = await start(folder);
  const sha256 = await put("/__sandbox/a/products/1", "promoted");
  expect((await ask("POST /__sandboxes/a/promote", {})).status).toBe(200);
  await ask("DELETE /__sandboxes/a");
  age(folder, 2);
  await ask("POST /__files/clean");
  expect(kept(folder)).toEqual([sha256]);
});

test("a reset brings back a file that its data names", async () => {
  const folder = createFolder({ "db.json": DATA });
  const first = await start(folder, { history: "off" });
  const sha256 = await first.put("/products/1", "of the first data");
  await first.api.close();
  const { ask } = await start(folder, { history: "off" });
  await ask("DELETE /products/1/photo");
  age(folder, 2);
  expect((await ask("POST /__files/clean")).body).toMatchObject({ trashed: 1 });
  expect((await ask(`GET /__files/${sha256}/a`)).status).toBe(404);
  expect(kept(folder, "trash")).toEqual([sha256]);
  await ask("POST /__reset");
  expect((await ask(`GET /__files/${sha256}/a`)).text).toBe("of the first data");
  expect([kept(folder), kept(folder, "trash")]).toEqual([[sha256], []]);
});

test("a start brings back what its data names, and standin files clean works without a server", async () => {
  const folder = createFolder({ "db.json": DATA });
  const first = await start(folder);
  const sha256 = await first.put("/products/1", "named by older data");
  await first.ask("DELETE /products/1/photo");
  await first.ask("DELETE /__history");
  await first.api.close();
  age(folder, 2);
  const { output, settled } = runKept(["files", "clean", "db.json"], folder);
  await settled;
  expect(output.stdout).toContain("0 files kept, 1 moved to trash/, 0 removed from it.");
  const photo = { name: "a", type: "text/plain", size: 19, sha256, url: `/__files/${sha256}/a` };
  writeFileSync(join(folder, "db.json"), JSON.stringify({ products: [{ id: 1, photo }] }));
  const second = await start(folder);
  expect((await second.ask("GET /products/1/photo")).text).toBe("named by older data");
});

test("a folder that several data files share keeps the files of all", async () => {
  const folder = createFolder({ "db.json": DATA, "other.json": DATA });
  const files = filesOf(folder);
  const one = await start(folder, { files, history: "off" });
  const other = await start(folder, {
    source: join(folder, "other.json"),
    files,
    history: "off",
  } as Partial<StandinOptions>);
  const ofOther = await other.put("/products/1", "of the other");
  const ofOne = await one.put("/products/1", "of this one");
  await one.ask("DELETE /products/1/photo");
  await other.api.close();
  age(folder, 2);
  expect((await one.ask("POST /__files/clean")).body).toMatchObject({ kept: 1, trashed: 1 });
  expect([kept(folder), kept(folder, "trash")]).toEqual([[ofOther], [ofOne]]);
});

test("a link in the folder is not followed", async () => {
  const folder = createFolder({ "db.json": DATA, "secret.txt": "secret" });
  const { ask, put } = await start(folder);
  await put("/products/1", "any");
  symlinkSync(join(folder, "secret.txt"), join(filesOf(folder), "0".repeat(64)));
  expect((await ask(`GET /__files/${"0".repeat(64)}/a`)).status).toBe(404);
});

test("a shared folder is not swept unasked", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let looks = 0;
  let asked = 0;
  const used = async () => {
    looks++;
    return new Set<string>();
  };
  const isAllowed = async () => {
    asked++;
    return false;
  };
  const store = new MemoryFiles(Date.now);
  await store.write(Readable.from([Buffer.from("unused")]), { maxBytes: 100, maxTotalBytes: 100 });
  const sweep = new Sweep({ store, used, now: () => Date.now() + 2 * 86_400_000, isAllowed });
  sweep.start(() => undefined);
  await vi.advanceTimersByTimeAsync(300_000);
  expect([asked, looks]).toEqual([1, 0]);
  expect(await sweep.run()).toEqual({ kept: 0, trashed: 1, removed: 0 });
  sweep.stop();
});

test("a server looks for unused files soon after its start, and then four times a day", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const store = new MemoryFiles(Date.now);
  const limits = { maxBytes: 100, maxTotalBytes: 100 };
  const { sha256 } = await store.write(Readable.from([Buffer.from("unused")]), limits);
  const looks: number[] = [];
  const startedAt = Date.now();
  const used = async () => {
    looks.push(Date.now() - startedAt);
    return new Set<string>();
  };
  const sweep = new Sweep({ store, used, now: () => Date.now() + 2 * 86_400_000, isAllowed: async () => true });
  const failures: unknown[] = [];
  sweep.start((thrown) => failures.push(thrown));
  sweep.start((thrown) => failures.push(thrown));
  await vi.advanceTimersByTimeAsync(300_000);
  expect([looks, await store.find(sha256)]).toEqual([[300_000], undefined]);
  await store.write(Readable.from([Buffer.from("unused")]), limits);
  await vi.advanceTimersByTimeAsync(21_600_000);
  expect(looks).toEqual([300_000, 21_900_000]);
  sweep.stop();
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect([looks.length, failures]).toEqual([2, []]);
});
