import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { fileUrl, isFileObject } from "../../../src/base/file-object.ts";
import type { FileStore } from "../../../src/features/files/file-store.ts";
import { FolderFiles } from "../../../src/features/files/folder-files.ts";
import { FolderOwners } from "../../../src/features/files/folder-owners.ts";
import { MemoryFiles } from "../../../src/features/files/memory-files.ts";

const LIMITS = { maxBytes: 1000, maxTotalBytes: 1500 };
const LATER = Number.POSITIVE_INFINITY;
const TEXT = "the quick brown fox";
const SHA256 = createHash("sha256").update(TEXT).digest("hex");

const STORES: Record<string, () => FileStore> = {
  memory: () => new MemoryFiles(Date.now),
  "a folder": () =>
    new FolderFiles({ folder: join(mkdtempSync(join(tmpdir(), "files-")), "new"), toDisk: true, now: Date.now }),
};

describe.each(Object.entries(STORES))("files in %s", (_name, create) => {
  test("are stored once, by their hash", async () => {
    const store = create();
    const written = await store.write(inPieces(TEXT), LIMITS);
    expect(written).toEqual({ sha256: SHA256, size: TEXT.length, head: new TextEncoder().encode(TEXT) });
    await store.write(inPieces(TEXT, 100), LIMITS);
    expect((await store.list()).map(({ sha256, size }) => [sha256, size])).toEqual([[SHA256, TEXT.length]]);
    expect((await store.find(SHA256))?.size).toBe(TEXT.length);
    await store.close();
  });

  test.each([
    [undefined, TEXT],
    [{ first: 0, last: 0 }, "t"],
    [{ first: 4, last: 8 }, "quick"],
    [{ first: 16, last: 18 }, "fox"],
  ])("are read in the range %j", async (range, expected) => {
    const store = create();
    await store.write(inPieces(TEXT), LIMITS);
    expect(await textOf(store, SHA256, range)).toBe(expected);
    await store.close();
  });

  test("are gone when they are removed, and back when they are uploaded again", async () => {
    const store = create();
    await store.write(inPieces(TEXT), LIMITS);
    expect(await store.remove(SHA256, LATER)).toBe(true);
    expect(await store.remove(SHA256, LATER)).toBe(false);
    expect(await store.open(SHA256)).toBeUndefined();
    expect(await store.find(SHA256)).toBeUndefined();
    await store.write(inPieces(TEXT), LIMITS);
    expect(await textOf(store, SHA256)).toBe(TEXT);
    await store.close();
  });

  test("have a limit each, and one together; what is refused leaves nothing", async () => {
    const store = create();
    await expect(store.write(inPieces("a".repeat(1001)), LIMITS)).rejects.toMatchObject({ code: "FILE_TOO_LARGE" });
    await store.write(inPieces("a".repeat(1000)), LIMITS);
    await expect(store.write(inPieces("b".repeat(501)), LIMITS)).rejects.toMatchObject({ code: "FILES_FULL" });
    await store.write(inPieces("c".repeat(500)), LIMITS);
    expect((await store.list()).map(({ size }) => size).sort()).toEqual([1000, 500]);
    await store.close();
  });

  test("that end in the middle leave nothing", async () => {
    const store = create();
    await expect(store.write(broken(), LIMITS)).rejects.toThrow("the client has left");
    expect(await store.list()).toEqual([]);
    await store.close();
  });
});

test.each([
  [true, 2],
  [false, 0],
])("with durability to disk %s, content and name are flushed %d times", async (toDisk, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "files-"));
  const handle = await open(folder, "r");
  const flush = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, "sync");
  await handle.close();
  onTestFinished(() => flush.mockRestore());
  const store = new FolderFiles({ folder, toDisk, now: Date.now });
  await store.write(inPieces(TEXT), LIMITS);
  expect(flush).toHaveBeenCalledTimes(expected);
  await store.close();
});

test("a file in the trash is back when a write names it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "files-"));
  const store = new FolderFiles({ folder, toDisk: false, now: Date.now });
  await store.write(inPieces(TEXT), LIMITS);
  expect(await store.remove(SHA256, LATER)).toBe(true);
  await Promise.all([store.renew(SHA256), store.renew(SHA256)]);
  expect(await textOf(store, SHA256)).toBe(TEXT);
  expect(await store.aside()).toEqual([]);
  await store.close();
});

test("an upload and a sweep of the same content at a time leave the file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "files-"));
  const store = new FolderFiles({ folder, toDisk: false, now: Date.now });
  await store.write(inPieces(TEXT), LIMITS);
  for (let round = 0; round < 20; round++) {
    utimesSync(join(folder, SHA256), 1, 1);
    await Promise.all([store.write(inPieces(TEXT), LIMITS), store.remove(SHA256, 1000 * (round + 2))]);
    expect(await textOf(store, SHA256)).toBe(TEXT);
    expect(await store.aside()).toEqual([]);
  }
  await store.close();
});

test("a data file whose note another one has overwritten at the same time is not forgotten", async () => {
  const folder = mkdtempSync(join(tmpdir(), "files-"));
  const [one, other] = ["one.json", "other.json"].map(
    (name) => new FolderOwners(join(folder, "files"), { source: join(folder, name), snapshots: undefined }, () => {}),
  ) as [FolderOwners, FolderOwners];
  await one.note();
  expect(await one.isAlone()).toBe(true);
  rmSync(join(folder, "files", "data-files.json"));
  await other.note();
  expect(await one.isAlone()).toBe(false);
  expect(await other.isAlone()).toBe(false);
});

test.each([
  [{}, true],
  [{ url: `/api/__files/${SHA256}/a.txt?s=abc` }, true],
  [{ sha256: SHA256.toUpperCase() }, false],
  [{ sha256: "../../etc/passwd" }, false],
  [{ size: "19" }, false],
  [{ name: null }, false],
  [{ url: "https://elsewhere.test/a.txt" }, false],
])("a file object with %j: %s", (difference, expected) => {
  const file = { name: "a.txt", type: "text/plain", size: 19, sha256: SHA256, url: fileUrl(SHA256, "a.txt") };
  expect(isFileObject({ ...file, ...difference })).toBe(expected);
});

async function* inPieces(text: string, length = 3): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(5);
  throw new Error("the client has left");
}

async function textOf(store: FileStore, sha256: string, range?: { first: number; last: number }): Promise<string> {
  const pieces = (await store.open(sha256, range)) ?? [];
  let text = "";
  for await (const piece of pieces) text += new TextDecoder().decode(piece);
  return text;
}
