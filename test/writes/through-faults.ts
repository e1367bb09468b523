import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { Random } from "../compat/random.ts";
import { type Answer, askAt } from "../support/api.ts";

const ENTRIES = 5;

/** A server to which faults happen. */
export interface FaultyServer {
  /** Ends it, or what it depends on, outright. */
  interrupt(round: number): Promise<void>;
  /** Has it back; resolves to its address. */
  resume(): Promise<string>;
}

export interface FaultsOptions {
  readonly rounds: number;
  /** Of each of two collections. */
  readonly records: number;
  /** The longest time between two faults, or between the first write after a fault and the next one. */
  readonly longestMs: number;
  readonly seed: number;
}

export interface FaultsResult {
  readonly acknowledged: number;
  /** Faults that came while a write was under way, by whether it was carried out. */
  readonly interrupted: { readonly done: number; readonly undone: number };
}

/** One number that all records of a collection have; the log has all its entries, or none. */
interface Numbers {
  readonly notes: number;
  readonly tags: number;
  readonly log: number | "none";
}

/** A request for many records, and the numbers once it is carried out. */
interface NumberedWrite {
  readonly line: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly after: Numbers;
}

/** The data to begin with; texts of all lengths make a write of all records take its time. */
export function numberedData(records: number): JsonObject {
  const all = Array.from({ length: records }, (_, at) => ({ id: at + 1, n: 0, text: "x".repeat(at) }));
  return { notes: all, tags: all, log: Array.from({ length: ENTRIES }, (_, at) => ({ id: at + 1, n: 0 })) };
}

/**
 * Writes many records at once, in batches, by filter and by upserting, while faults happen. After each fault the data is
 * exactly that before or that after the write that was under way. The key of a write is known if, and only if, the write was
 * carried out.
 */
export async function writeThroughFaults(server: FaultyServer, options: FaultsOptions): Promise<FaultsResult> {
  const { rounds, records, longestMs, seed } = options;
  const random = new Random(seed);
  const interrupted = { done: 0, undone: 0 };
  let acknowledged = 0;
  let sure: Numbers = { notes: 0, tags: 0, log: 0 };
  let latest: NumberedWrite | undefined;
  let n = 0;
  let url = await server.resume();
  for (let round = 0; round < rounds; round++) {
    const name = `seed ${seed}, round ${round}`;
    let isOver = false;
    let underWay: NumberedWrite | undefined;
    let hasWritten = (): void => {};
    const firstWrite = new Promise<void>((resolve) => {
      hasWritten = resolve;
    });
    const writing = (async () => {
      while (!isOver) {
        const write = writeFor(++n, records, sure);
        underWay = write;
        const answer = await send(url, write).catch(() => undefined);
        if (!answer || answer.status === 503) return;
        expect([answer.status < 300, isReplayed(answer)], `${name}: ${write.line}`).toEqual([true, false]);
        sure = write.after;
        latest = write;
        underWay = undefined;
        acknowledged++;
        hasWritten();
      }
    })();
    // Every other fault comes while the server is warm, however slow the machine is.
    if (round % 2 === 1) await Promise.race([firstWrite, writing]);
    await sleep(random.int(0, longestMs));
    await server.interrupt(round);
    isOver = true;
    await writing;
    url = await server.resume();
    const found = await numbersAt(url, records, name);
    if (!underWay) {
      expect(found, name).toEqual(sure);
      await expectKnown(url, latest, name);
      continue;
    }
    const isDone = JSON.stringify(found) === JSON.stringify(underWay.after);
    interrupted[isDone ? "done" : "undone"]++;
    expect([sure, underWay.after], `${name}: ${underWay.line}`).toContainEqual(found);
    if (!isDone) await expectKnown(url, latest, name);
    sure = found;
    if (!hasKey(underWay)) continue;
    const again = await send(url, underWay);
    expect([again.status < 300, isReplayed(again)], `${name}: ${underWay.line} again`).toEqual([true, isDone]);
    sure = underWay.after;
    latest = underWay;
  }
  expect(await numbersAt(url, records, `seed ${seed}, end`)).toEqual(sure);
  return { acknowledged, interrupted };
}

/** A write that was acknowledged is not carried out again. */
async function expectKnown(url: string, write: NumberedWrite | undefined, name: string): Promise<void> {
  if (!write || !hasKey(write)) return;
  expect(isReplayed(await send(url, write)), `${name}: the key of ${write.line}`).toBe(true);
}

function hasKey({ headers }: NumberedWrite): boolean {
  return headers?.["Idempotency-Key"] !== undefined;
}

function isReplayed({ headers }: Answer): boolean {
  return headers.get("idempotency-replayed") === "true";
}

function send(url: string, { line, body, headers = {} }: NumberedWrite): Promise<Answer> {
  return askAt(url, line, { body, headers });
}

/** The kinds of writes take turns. */
function writeFor(n: number, records: number, before: Numbers): NumberedWrite {
  const ids = Array.from({ length: records }, (_, at) => at + 1);
  const entries = Array.from({ length: ENTRIES }, () => ({ n }));
  const withKey = { "Idempotency-Key": `n${n}` };
  switch (n % 6) {
    case 0: {
      const patches = ids.flatMap((id) => [
        { method: "PATCH", path: `/notes/${id}`, body: { n } },
        { method: "PATCH", path: `/tags/${id}`, body: { n } },
      ]);
      return { line: "POST /__batch", body: { requests: patches }, after: { ...before, notes: n, tags: n } };
    }
    case 1:
      return { line: `PATCH /notes?n:lt=${n}`, body: { n }, headers: withKey, after: { ...before, notes: n } };
    case 2: {
      const headers = { Prefer: "resolution=merge-duplicates" };
      return { line: "POST /tags", body: ids.map((id) => ({ id, n })), headers, after: { ...before, tags: n } };
    }
    case 3: {
      const requests = [
        { method: "PATCH", path: `/notes?n:lt=${n}`, body: { n } },
        { method: "DELETE", path: `/log?n:lt=${n}` },
        { method: "POST", path: "/log", body: entries },
        { method: "PATCH", path: `/tags?n:lt=${n}`, body: { n } },
      ];
      return { line: "POST /__batch", body: { requests }, headers: withKey, after: { notes: n, tags: n, log: n } };
    }
    case 4:
      return { line: `DELETE /log?n:lt=${n}`, after: { ...before, log: "none" } };
    default: {
      const requests = [
        { method: "DELETE", path: `/log?n:lt=${n}` },
        ...entries.map((body) => ({ method: "POST", path: "/log", body })),
      ];
      return { line: "POST /__batch", body: { requests }, after: { ...before, log: n } };
    }
  }
}

async function numbersAt(url: string, records: number, name: string): Promise<Numbers> {
  const numberOf = async (collection: string, counts: readonly number[]): Promise<number | undefined> => {
    const { body, status } = await askAt(url, `GET /${collection}`);
    expect(status, name).toBe(200);
    const found = (body as { n: number }[]).map(({ n }) => n);
    expect(counts, `${name}: records of ${collection}`).toContain(found.length);
    expect(new Set(found).size, `${name}: ${collection} by half`).toBeLessThanOrEqual(1);
    return found[0];
  };
  return {
    notes: (await numberOf("notes", [records]))!,
    tags: (await numberOf("tags", [records]))!,
    log: (await numberOf("log", [0, ENTRIES])) ?? "none",
  };
}
