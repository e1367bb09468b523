import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { expect, test } from "vitest";
import { createFolder, serveCli } from "../../support/cli.ts";
import { tellNumbers } from "../../support/tell-numbers.ts";
import { killUploads } from "./kill-uploads.ts";

const MB = 2 ** 20;

test("200 kills during uploads leave no record without its file", async () => {
  const { records, missing } = await killUploads(200);
  tellNumbers(`200 kills during uploads: ${records} records, ${missing.length} without their file`);
  expect(missing).toEqual([]);
});

test("1 GB is stored and sent with less than 80 MB more memory", async () => {
  const folder = createFolder({ "db.json": { videos: [{ id: 1 }] } });
  const server = await serveCli(["db.json", "--max-file-bytes", String(1100 * MB)], folder);
  const memory = (): number =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))?.[1]) / 1024;
  await (await fetch(`${server.url}/videos`)).text();
  const before = memory();
  let most = before;
  const piece = Buffer.alloc(MB);
  const sent = request(`${server.url}/videos/1/film`, { method: "PUT", headers: { "Content-Type": "video/mp4" } });
  for (let at = 0; at < 1024; at++) {
    piece.writeUInt32BE(at);
    if (!sent.write(Buffer.from(piece))) await once(sent, "drain");
    if (at % 16 === 0) most = Math.max(most, memory());
  }
  sent.end();
  const [answer] = await once(sent, "response");
  expect(answer.statusCode).toBe(200);
  answer.resume();
  let bytes = 0;
  const got = await fetch(`${server.url}/videos/1/film`);
  for await (const part of got.body ?? []) {
    bytes += part.length;
    most = Math.max(most, bytes % (64 * MB) < MB ? memory() : 0);
  }
  expect(bytes).toBe(1024 * MB);
  tellNumbers(`1 GB up and down: ${Math.round(most - before)} MB more memory`);
  expect(most - before).toBeLessThan(80);
  await server.stop();
});
