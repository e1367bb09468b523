import { Agent, request } from "node:http";
import { expect, test } from "vitest";
import { askAt } from "./support/api.ts";
import { catalog } from "./support/catalog.ts";
import { createFolder, serveCli } from "./support/cli.ts";
import { limit } from "./support/limits.ts";
import { worstBodies } from "./support/worst-bodies.ts";

const BYTES = 10 * 1024 * 1024 - 100;
/** No request may hold the event loop longer. */
const HELD_MS = 50;

/** Gets one record after the other until it is stopped; gives back how long each of them took, the longest first. */
function startReading(url: string): () => Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const waits: number[] = [];
  let isReading = true;
  const read = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const sent = request(`${url}/companies/1`, { agent }, (response) => {
        response.resume().on("end", () => {
          waits.push(performance.now() - startedAt);
          resolve();
        });
      });
      sent.on("error", reject);
      sent.end();
    });
  const reading = (async () => {
    while (isReading) {
      await read();
      // This process sends the large body meanwhile, and must not measure itself.
      await new Promise(setImmediate);
    }
  })();
  return async () => {
    isReading = false;
    await reading;
    agent.destroy();
    return waits.sort((a, b) => b - a);
  };
}

test("a record is read beside each of the worst bodies of 10 MB", async () => {
  const rows: string[] = [];
  const tooLong: string[] = [];
  for (const [name, { line, body, type, status }] of Object.entries(worstBodies(BYTES))) {
    const served = await serveCli(["db.json"], createFolder({ "db.json": { ...catalog(), profile: {} } }));
    const bytes = Buffer.from(body);
    const stop = startReading(served.url);
    const startedAt = performance.now();
    const answer = await askAt(served.url, line, {
      body: bytes,
      headers: { "Content-Type": type ?? "application/json" },
    });
    const tookMs = performance.now() - startedAt;
    const [longest = 0, second = 0] = await stop();
    expect(answer.status, name).toBe(status);
    expect(await served.stop()).toBe(0);
    rows.push(
      `${name.padEnd(46)} ${tookMs.toFixed(0).padStart(6)} ms; GET beside it ${longest.toFixed(0)}, ${second.toFixed(0)} ms`,
    );
    if (longest > limit(HELD_MS)) tooLong.push(`${name}: ${longest.toFixed(0)} ms`);
  }
  console.log(rows.join("\n"));
  expect(tooLong).toEqual([]);
});
