import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { incomingMembers } from "../../src/store/postgres/load/incoming-members.ts";
import { openPostgres, POSTGRES_DEFAULTS } from "../../src/store/postgres/open-postgres.ts";
import { Random } from "../compat/random.ts";
import { askAt } from "../support/api.ts";
import { newSchema } from "./database.ts";
import { kill, type Process, startProcess } from "./processes.ts";
import { PostgresServer } from "./server.ts";

const RECORDS = 60;
const LONGEST_MS = 120;

/** Gives every record of two collections the number, in one batch. */
function numbering(n: number): object {
  const requests = Array.from({ length: RECORDS }, (_, at) => ({
    method: "PATCH",
    path: `/${at % 2 === 0 ? "notes" : "tags"}/${at + 1}`,
    body: { n },
  }));
  return { requests };
}

async function numbersAt(url: string): Promise<number[]> {
  const numbers: number[] = [];
  for (const name of ["notes", "tags"]) {
    for (const { n } of (await askAt(url, `GET /${name}`)).body as { n: number }[]) numbers.push(n);
  }
  return [...new Set(numbers)];
}

test("batches are there completely or not at all after 40 kills and 10 restarts of the database", async () => {
  const seed = Date.now() % 1_000_000;
  const random = new Random(seed);
  const server = await PostgresServer.create();
  const schema = newSchema();
  let process: Process = await startProcess(server.url, schema);
  let acknowledged = 0;
  try {
    const all = Array.from({ length: RECORDS }, (_, at) => ({ id: at + 1, n: 0 }));
    const store = await openPostgres(server.url, {
      ...POSTGRES_DEFAULTS,
      idKey: "id",
      warn: () => {},
      poolSize: 2,
      schema,
    });
    const data = { notes: all.filter(({ id }) => id % 2 === 1), tags: all.filter(({ id }) => id % 2 === 0) };
    await store.data.replace(incomingMembers(data), true);
    await store.close();
    for (let round = 0; round < 50; round++) {
      let isAlive = true;
      let hasWritten = (): void => {};
      const firstWrite = new Promise<void>((resolve) => {
        hasWritten = resolve;
      });
      const { url } = process;
      const writing = (async () => {
        for (let n = acknowledged + 1; isAlive; n++) {
          const status = await askAt(url, "POST /__batch", { body: numbering(n) }).then(
            (answer) => answer.status,
            () => 0,
          );
          if (status !== 200) return;
          acknowledged = n;
          hasWritten();
        }
      })();
      if (round % 2 === 1) await Promise.race([firstWrite, writing]);
      await sleep(random.int(0, LONGEST_MS));
      if (round % 5 === 4) {
        await server.stop("immediate");
        isAlive = false;
        await writing;
        await server.start();
      } else {
        await kill(process);
        isAlive = false;
        await writing;
        process = await startProcess(server.url, schema);
      }
      const found = await numbersAt(process.url);
      expect(found, `seed ${seed}, round ${round}`).toHaveLength(1);
      expect(found[0], `seed ${seed}, round ${round}`).toBeGreaterThanOrEqual(acknowledged);
      acknowledged = found[0]!;
    }
    console.log(
      `50 faults during batches (seed ${seed}), the last number is ${acknowledged}: none lost, none by half.`,
    );
    expect(acknowledged).toBeGreaterThan(0);
  } finally {
    process.child.kill("SIGKILL");
    await server.destroy();
  }
});
