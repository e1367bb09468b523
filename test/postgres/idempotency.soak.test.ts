import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { askAt } from "../support/api.ts";
import { newSchema } from "./database.ts";
import { kill, type Process, startProcess } from "./processes.ts";
import { PostgresServer } from "./server.ts";

const PROCESSES = 4;
const CLIENTS = 20;
const FAULTS = 12;
/** So many keys are used between two faults, however slow the machine is. */
const LEAST_KEYS = 4;

test("20 clients retry the same request at 4 processes while these are killed and the database restarts: it runs once", async () => {
  const server = await PostgresServer.create();
  const schema = newSchema();
  let processes: Process[] = [];
  let isOver = false;
  let keys = 0;

  /** Sends a request until it is responded to, each time to another process. */
  async function sendUntilDone(key: string, client: number): Promise<string> {
    for (let tries = client; ; tries++) {
      const { url } = processes[tries % processes.length]!;
      const headers = { "Idempotency-Key": key };
      const answer = await askAt(url, "POST /products", { body: { key }, headers }).catch(() => undefined);
      if (answer && answer.status < 500) return `${answer.status} ${answer.text}`;
      await sleep(20);
    }
  }

  try {
    // One of them fills the database.
    processes = [await startProcess(server.url, schema)];
    processes.push(
      ...(await Promise.all(Array.from({ length: PROCESSES - 1 }, () => startProcess(server.url, schema)))),
    );
    const sending = (async () => {
      for (; !isOver; keys++) {
        const clients = Array.from({ length: CLIENTS }, (_, client) => sendUntilDone(`key-${keys}`, client));
        const responses = new Set(await Promise.all(clients));
        expect([...responses], `key ${keys}`).toEqual([expect.stringMatching(/^201 /)]);
      }
    })();
    sending.catch(() => undefined);
    for (let fault = 0; fault < FAULTS; fault++) {
      const enough = keys + LEAST_KEYS;
      while (keys < enough) await Promise.race([sleep(20), sending]);
      if (fault % 4 === 3) {
        await server.stop("immediate");
        await server.start();
      } else {
        await kill(processes[fault % PROCESSES]!);
        processes[fault % PROCESSES] = await startProcess(server.url, schema);
      }
    }
    isOver = true;
    await sending;
    const { body } = await askAt(processes[0]!.url, "GET /products?key:null=false&_fields=key");
    const made = (body as { key: string }[]).map(({ key }) => key);
    expect(made).toHaveLength(keys);
    expect(new Set(made).size).toBe(keys);
    console.log(`${keys} keys, each sent ${CLIENTS} times at once, with ${FAULTS} faults: each carried out once.`);
  } finally {
    isOver = true;
    for (const { child } of processes) child.kill("SIGKILL");
    await server.destroy();
  }
});
