import { Agent, request } from "node:http";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { askAt } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { limit } from "../support/limits.ts";
import { worstBodies } from "../support/worst-bodies.ts";

const BYTES = 10 * 1024 * 1024 - 1000;
/** No request may hold the event loop longer, on a machine that is not busy. */
const HELD_MS = 300;
/** Time for the save that follows a write. */
const SAVE_MS = 2000;

/** Gets one record after the other until it is stopped; gives back how long each of them took, the longest first. */
function startReading(url: string): () => Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const waits: number[] = [];
  let isReading = true;
  const read = (): Promise<void> =>
    new Promise((done, failed) => {
      const startedAt = performance.now();
      const sent = request(`${url}/companies/1`, { agent }, (response) => {
        response.resume().on("end", () => {
          waits.push(performance.now() - startedAt);
          done();
        });
      });
      sent.on("error", failed);
      sent.end();
    });
  const reading = (async () => {
    while (isReading) await read();
  })();
  return async () => {
    isReading = false;
    await reading;
    agent.destroy();
    return waits.sort((a, b) => b - a);
  };
}

test("no turn of the event loop takes longer than 300 ms for any of the worst bodies of 10 MB", async () => {
  const rows: string[] = [];
  const tooLong: string[] = [];
  const env = { NODE_OPTIONS: `--import ${resolve("test/fixtures/longest-turns.mjs")}` };
  for (const [name, { line, body, type, status }] of Object.entries(worstBodies(BYTES))) {
    const folder = createFolder({ "db.json": { ...catalog(), profile: {} } });
    const served = await serveCli(["db.json"], folder, env);
    const bytes = Buffer.from(body);
    const stop = startReading(served.url);
    await sleep(500);
    served.child.kill("SIGUSR2");
    const startedAt = performance.now();
    const headers = { "Content-Type": type ?? "application/json" };
    const answer = await askAt(served.url, line, { body: bytes, headers });
    const tookMs = performance.now() - startedAt;
    await sleep(SAVE_MS);
    const [longest = 0] = await stop();
    expect(answer.status, name).toBe(status);
    expect(await served.stop()).toBe(0);
    const [, turns = ""] = /longest turns: (.*) ms/.exec(served.output.stdout) ?? [];
    const row = `${name}: took ${tookMs.toFixed(0)} ms, longest turns ${turns} ms, longest GET beside it ${longest.toFixed(0)} ms`;
    rows.push(row);
    if (Number.parseInt(turns, 10) > limit(HELD_MS)) tooLong.push(row);
  }
  console.log(rows.join("\n"));
  expect(tooLong).toEqual([]);
});
