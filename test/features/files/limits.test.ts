import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { createStandin } from "../../../src/index.ts";
import { askAt, codeOf } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";

const TEXT = { "Content-Type": "text/plain" };

test("all files together may have 1 GB, those of earlier runs included", async () => {
  const folder = createFolder({ "db.json": { products: [] } });
  const files = join(folder, "db.json.files");
  const large = join(files, "0".repeat(64));
  mkdirSync(files);
  writeFileSync(large, "");
  // Takes no room on the disk: it is one hole.
  truncateSync(large, 999_999_999);
  await using api = await createStandin({ source: join(folder, "db.json"), persist: true });
  const upload = (body: string) => askAt(api.url, "POST /__files", { body, headers: TEXT });
  expect((await upload("a")).status).toBe(201);
  const refused = await upload("b");
  expect([refused.status, codeOf(refused)]).toEqual([413, "FILES_FULL"]);
});

test("a file may have 25 MB", async () => {
  await using api = await createStandin({ data: { products: [] } });
  const piece = Buffer.alloc(5_000_000);
  const upload = async (more: number): Promise<number> => {
    const pieces = [...Array.from({ length: 5 }, () => piece), piece.subarray(0, more)];
    const body = Readable.toWeb(Readable.from(pieces)) as ReadableStream;
    const sent = { method: "POST", headers: TEXT, body, duplex: "half" };
    return (await fetch(`${api.url}/__files`, sent as RequestInit)).status;
  };
  expect(await upload(0)).toBe(201);
  expect(await upload(1)).toBe(413);
});
