import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { incomingMembers } from "../../src/store/postgres/load/incoming-members.ts";
import { openPostgres, POSTGRES_DEFAULTS } from "../../src/store/postgres/open-postgres.ts";
import { Random } from "../compat/random.ts";
import { type Answer, askAt } from "../support/api.ts";
import { newSchema } from "./database.ts";
import { kill, type Process, startProcess } from "./processes.ts";
import { PostgresServer } from "./server.ts";

/** Of each of two collections. */
const RECORDS = 30;
const ENTRIES = 5;

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

export interface FaultsOptions {
  readonly kills: number;
  /** Spread evenly between the kills. */
  readonly restarts: number;
  /** The longest time between two faults, or between the first write after a fault and the next one. */
  readonly longestMs: number;
  readonly seed: number;
}

export interface FaultsResult {
  readonly acknowledged: number;
  /** Faults that came while a write was under way, by whether it was carried out. */
  readonly interrupted: { readonly done: number; readonly undone: number };
}

/**
 * Kills a server again and again, and restarts its database, while it writes many records at once: in batches, by filter and
 * by upserting. After each fault the data is exactly that before or that after the write that was under way, and the key of
 * such a write is known if, and only if, it was carried out.
 */
export async function writeManyThroughFaults(options: FaultsOptions): Promise<FaultsResult> {
  const { kills, restarts, longestMs, seed } = options;
  const random = new Random(seed);
  const server = await PostgresServer.create();
  const schema = newSchema();
  const rounds = kills + restarts;
  const interrupted = { done: 0, undone: 0 };
  let process: Process | undefined;
  let acknowledged = 0;
  let sure: Numbers = { notes: 0, tags: 0, log: 0 };
  let n = 0;
  try {
    await fill(server.url, schema);
    process = await startProcess(server.url, schema);
    for (let round = 0; round < rounds; round++) {
      const name = `seed ${seed}, round ${round}`;
      const { url } = process;
      let isOver = false;
      let underWay: NumberedWrite | undefined;
      let hasWritten = (): void => {};
      const firstWrite = new Promise<void>((resolve) => {
        hasWritten = resolve;
      });
      const writing = (async () => {
        while (!isOver) {
          const write = writeFor(++n, sure);
          underWay = write;
          const status = await send(url, write).then(
            (answer) => answer.status,
            () => 0,
          );
          if (status >= 300 || status === 0) {
            expect([0, 503], `${name}: ${write.line}`).toContain(status);
            return;
          }
          sure = write.after;
          underWay = undefined;
          acknowledged++;
          hasWritten();
        }
      })();
      // Every other fault comes while the server is warm, however slow the machine is.
      if (round % 2 === 1) await Promise.race([firstWrite, writing]);
      await sleep(random.int(0, longestMs));
      if (Math.floor(((round + 1) * restarts) / rounds) > Math.floor((round * restarts) / rounds)) {
        await server.stop("immediate");
        isOver = true;
        await writing;
        await server.start();
      } else {
        await kill(process);
        isOver = true;
        await writing;
        process = await startProcess(server.url, schema);
      }
      const found = await numbersAt(process.url, name);
      if (!underWay) {
        expect(found, name).toEqual(sure);
        continue;
      }
      const { line, headers, after } = underWay;
      const isDone = JSON.stringify(found) === JSON.stringify(after);
      interrupted[isDone ? "done" : "undone"]++;
      expect([sure, after], `${name}: ${line}`).toContainEqual(found);
      sure = found;
      if (headers?.["Idempotency-Key"] === undefined) continue;
      const again = await send(process.url, underWay);
      const isReplayed = again.headers.get("idempotency-replayed") === "true";
      expect([again.status < 300, isReplayed], `${name}: the key of ${line}`).toEqual([true, isDone]);
      sure = after;
    }
    expect(await numbersAt(process.url, `seed ${seed}, end`)).toEqual(sure);
    return { acknowledged, interrupted };
  } finally {
    process?.child.kill("SIGKILL");
    await server.destroy();
  }
}

function send(url: string, { line, body, headers = {} }: NumberedWrite): Promise<Answer> {
  return askAt(url, line, { body, headers });
}

/** The kinds of writes take turns. */
function writeFor(n: number, before: Numbers): NumberedWrite {
  const ids = Array.from({ length: RECORDS }, (_, at) => at + 1);
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

async function fill(url: string, schema: string): Promise<void> {
  const store = await openPostgres(url, { ...POSTGRES_DEFAULTS, idKey: "id", warn: () => {}, poolSize: 2, schema });
  const records = (count: number): { id: number; n: number }[] =>
    Array.from({ length: count }, (_, at) => ({ id: at + 1, n: 0 }));
  const data = { notes: records(RECORDS), tags: records(RECORDS), log: records(ENTRIES) };
  await store.data.replace(incomingMembers(data), true);
  await store.close();
}

async function numbersAt(url: string, name: string): Promise<Numbers> {
  const numberOf = async (collection: string, counts: readonly number[]): Promise<number | undefined> => {
    const { body, status } = await askAt(url, `GET /${collection}`);
    expect(status, name).toBe(200);
    const found = (body as { n: number }[]).map(({ n }) => n);
    expect(counts, `${name}: records of ${collection}`).toContain(found.length);
    expect(new Set(found).size, `${name}: ${collection} by half`).toBeLessThanOrEqual(1);
    return found[0];
  };
  return {
    notes: (await numberOf("notes", [RECORDS]))!,
    tags: (await numberOf("tags", [RECORDS]))!,
    log: (await numberOf("log", [0, ENTRIES])) ?? "none",
  };
}
