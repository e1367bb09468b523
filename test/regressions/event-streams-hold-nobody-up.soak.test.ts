/** A PATCH of 2,000 records held the event loop for 574 ms while 500 event streams were open, 1,279 ms if nobody read them. */
import { type IncomingMessage, request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { askAt } from "../support/api.ts";
import { type MeteredServer, startMetered } from "../support/metered-server.ts";
import { tellNumbers } from "../support/tell-numbers.ts";

const STREAMS = 500;
const RECORDS = Array.from({ length: 2000 }, (_, at) => ({ id: at + 1, name: `Record ${at}`, text: "x".repeat(100) }));
/** Of CPU time; a write of 2,000 records alone takes some of it. */
const MAX_TURN_MS = 300;

async function openStreams({ url }: MeteredServer, path: string, isRead: boolean): Promise<() => readonly number[]> {
  const bytes: number[] = Array.from({ length: STREAMS }, () => 0);
  await Promise.all(
    bytes.map(
      (_, at) =>
        new Promise<void>((resolve, reject) => {
          const sending = request(url + path, { agent: false }, (response: IncomingMessage) => {
            if (isRead) response.on("data", (piece: Buffer) => (bytes[at] = (bytes[at] ?? 0) + piece.length));
            response.on("error", () => undefined);
            resolve();
          });
          sending.on("error", reject);
          sending.end();
          onTestFinished(() => void sending.destroy());
        }),
    ),
  );
  return () => bytes;
}

const cases = [
  ["/__events", true],
  ["/__events", false],
  ["/__events?collection=records", true],
  ["/__events?collection=records", false],
] as const;

for (const [path, isRead] of cases) {
  test(`a write of all records to ${STREAMS} streams of ${path}, ${isRead ? "read" : "not read"}, is sent in slices`, async () => {
    const server = await startMetered({ records: RECORDS, other: [{ id: 1 }] });
    const received = await openStreams(server, path, isRead);
    await askAt(server.url, "PATCH /records?_all=true", { body: { n: 0 } });
    await expect.poll(() => received().every((count) => !isRead || count > 400_000)).toBe(true);
    await server.turns();
    const { status } = await askAt(server.url, "PATCH /records?_all=true", { body: { n: 1 } });
    expect(status).toBe(200);
    if (isRead) await expect.poll(() => Math.min(...received())).toBeGreaterThan(800_000);
    await askAt(server.url, "GET /other/1");
    const { longest, longestOwn } = await server.turns();
    tellNumbers(
      `${STREAMS} streams of ${path}, ${isRead ? "read" : "not read"}: longest turn ${longest.toFixed()} ms of CPU`,
    );
    expect(longestOwn).toBeLessThan(MAX_TURN_MS);
    await server.stop();
  });
}
