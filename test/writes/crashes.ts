import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { Random } from "../compat/random.ts";
import { asFile, crash, databaseAt, recordsOf } from "../durability/place.ts";
import { type Answer, askAt } from "../support/api.ts";
import { createFolder, serveCli } from "../support/cli.ts";

const RECORDS = 400;
/** The longest time between a start, or the first write after it, and the kill. */
const LONGEST_MS = 60;

/**
 * Kills a server again and again while it writes by filter, upserts and runs batches: after each start every record has the
 * same number, at least the last one acknowledged. The key of a write is known if, and only if, the write is there. Returns
 * how many writes were acknowledged.
 */
export async function killWhileWritingMany(kills: number, seed: number): Promise<number> {
  const random = new Random(seed);
  const records = Array.from({ length: RECORDS }, (_, at) => ({ id: at + 1, n: 0, text: "x".repeat(at) }));
  const folder = createFolder({ "db.json": asFile({ notes: records }) });
  let acknowledged = 0;
  let total = 0;
  for (let kill = 0; kill < kills; kill++) {
    const server = await serveCli([], folder);
    acknowledged = expectWhole(await databaseAt(server.url), acknowledged, `seed ${seed}, kill ${kill}`);
    if (acknowledged > 0 && hasKey(acknowledged)) {
      const again = await writeNumber(server.url, acknowledged);
      expect(isReplayed(again), `seed ${seed}, kill ${kill}: the key of ${acknowledged}`).toBe(true);
    }
    let isAlive = true;
    let hasWritten = (): void => {};
    const firstWrite = new Promise<void>((resolve) => {
      hasWritten = resolve;
    });
    const writing = (async () => {
      for (let n = acknowledged + 1; isAlive; n++) {
        try {
          const answer = await writeNumber(server.url, n);
          expect(isReplayed(answer), `seed ${seed}, kill ${kill}: the key of ${n}`).toBe(false);
          if (answer.status !== 200) return;
        } catch (thrown) {
          if (thrown instanceof Error && thrown.name === "AssertionError") throw thrown;
          // The server is gone; the write may have happened.
          return;
        }
        acknowledged = n;
        total++;
        hasWritten();
      }
    })();
    // Every other kill comes while the server is warm, however slow the machine is.
    if (kill % 2 === 1) await Promise.race([firstWrite, writing]);
    await sleep(random.int(0, LONGEST_MS));
    await crash(server);
    isAlive = false;
    await writing;
  }
  const server = await serveCli([], folder);
  expectWhole(await databaseAt(server.url), acknowledged, `seed ${seed}, end`);
  await server.stop();
  return total;
}

/** Gives every record the number: by filter, by upserting all of them, or in a batch. */
async function writeNumber(url: string, n: number): Promise<Answer> {
  if (n % 3 === 0) {
    const bodies = Array.from({ length: RECORDS }, (_, at) => ({ id: at + 1, n }));
    const headers = { Prefer: "resolution=merge-duplicates" };
    return askAt(url, "POST /notes", { body: bodies, headers });
  }
  if (n % 3 === 1) {
    const requests = Array.from({ length: RECORDS }, (_, at) => ({
      method: "PATCH",
      path: `/notes/${at + 1}`,
      body: { n },
    }));
    return askAt(url, "POST /__batch", { body: { requests } });
  }
  return askAt(url, `PATCH /notes?n:lt=${n}`, { body: { n }, headers: { "Idempotency-Key": `n${n}` } });
}

/** The responses to the others are large. */
function hasKey(n: number): boolean {
  return n % 3 === 2;
}

function isReplayed({ headers }: Answer): boolean {
  return headers.get("idempotency-replayed") === "true";
}

function expectWhole(database: JsonObject, acknowledged: number, name: string): number {
  const numbers = new Set(recordsOf(database, "notes").map(({ n }) => n as number));
  expect([...numbers], name).toHaveLength(1);
  const [n = 0] = numbers;
  expect(n, name).toBeGreaterThanOrEqual(acknowledged);
  return n;
}
