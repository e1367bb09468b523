import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { Random } from "../compat/random.ts";
import { startReceiver } from "../features/hooks/receiver.ts";
import { createFolder, type Served, serveCli } from "../support/cli.ts";
import { Client } from "./client.ts";
import { crash, databaseAt, recordsOf } from "./place.ts";

/** What one run has seen. */
export interface Tally {
  kills: number;
  acknowledged: number;
  repeated: number;
  delivered: number;
}

const RULES = { orders: { type: "object", required: ["code"], "x-unique": ["code"] } };

/**
 * Kills a server with everything switched on, again and again, until the time is over: history, webhooks, a timeline,
 * files, sandboxes that are promoted, batches with a key, unique fields. Nothing acknowledged may be lost, done by half or
 * done twice.
 */
export async function killsWithEverythingOn(seed: number, durationMs: number): Promise<Tally> {
  const receiver = await startReceiver();
  const folder = createFolder({
    "db.json": { orders: [], photos: [] },
    "rules.json": RULES,
    "standin.json": {
      source: "db.json",
      rules: "rules.json",
      history: 100_000,
      hooks: [{ name: "made", on: "orders.created", to: receiver.url }],
      timeline: [{ name: "pay", on: "orders.created", after: "1s", set: { paid: true } }],
    },
  });
  const random = new Random(seed);
  const workers = Array.from({ length: 4 }, (_, number) => new Worker(number, random));
  const tally: Tally = { kills: 0, acknowledged: 0, repeated: 0, delivered: 0 };
  for (const end = Date.now() + durationMs; Date.now() < end; tally.kills++) {
    const server = await serveCli([], folder);
    await checkAll(server, workers, folder);
    const acknowledged = (): number => workers.reduce((sum, worker) => sum + worker.acknowledged, 0);
    const before = acknowledged();
    const wanted = random.int(1, 120);
    const clients = workers.map(() => new Client(server.url));
    const working = workers.map((worker, number) => worker.run(clients[number]!));
    await Promise.race([expect.poll(acknowledged).toBeGreaterThanOrEqual(before + wanted), Promise.all(working)]);
    await crash(server);
    await Promise.all(working);
    for (const client of clients) client.close();
  }
  const last = await serveCli([], folder);
  await checkAll(last, workers, folder);
  const made = workers.flatMap((worker) => [...worker.created]);
  const delivered = (): Set<string> =>
    new Set(receiver.received.map(({ body }) => JSON.parse(body).data.code as string));
  await expect.poll(() => made.filter((code) => !delivered().has(code)), { timeout: 120_000 }).toEqual([]);
  await expect
    .poll(async () => recordsOf(await databaseAt(last.url), "orders").filter(({ paid }) => paid !== true))
    .toEqual([]);
  expect(await last.stop()).toBe(0);
  tally.acknowledged = workers.reduce((sum, worker) => sum + worker.acknowledged, 0);
  tally.repeated = workers.reduce((sum, worker) => sum + worker.repeated, 0);
  tally.delivered = receiver.received.length;
  return tally;
}

async function checkAll(server: Served, workers: readonly Worker[], folder: string): Promise<void> {
  const database = await databaseAt(server.url);
  const orders = recordsOf(database, "orders");
  expect(new Set(orders.map(({ code }) => code)).size, "orders with one code").toBe(orders.length);
  const { versions } = (await (await fetch(`${server.url}/__history?limit=1000`)).json()) as {
    versions: { version: number }[];
  };
  expect(new Set(versions.map(({ version }) => version)).size, "versions with one number").toBe(versions.length);
  for (const worker of workers) await worker.check(database, server, folder);
}

/** A batch that got no response, to be sent again with its key. */
interface Doubt {
  readonly key: string;
  readonly codes: readonly string[];
}

/** A client that remembers what was acknowledged. Its codes begin with its number, so no two write the same order. */
class Worker {
  readonly #number: number;
  readonly #random: Random;
  #turn = 0;
  /** The orders that must be there, by code. */
  readonly #orders = new Map<string, JsonObject>();
  /** The orders that a request without a response may have made, changed or removed. */
  readonly #unsure = new Set<string>();
  readonly #files = new Map<string, string>();
  #doubt: Doubt | undefined;
  /** The codes of all orders that were ever acknowledged, each of which a webhook must tell of. */
  readonly created = new Set<string>();
  acknowledged = 0;
  repeated = 0;

  constructor(number: number, random: Random) {
    this.#number = number;
    this.#random = random;
  }

  /** Writes until the server is gone. */
  async run(client: Client): Promise<void> {
    try {
      if (this.#doubt) {
        await this.#batch(client, this.#doubt);
        this.repeated++;
      }
      for (;;) await this.#act(client);
    } catch (thrown) {
      // A wrong response; anything else is the end of the server.
      if (thrown instanceof Error && thrown.name === "AssertionError") throw thrown;
    }
  }

  async #act(client: Client): Promise<void> {
    const known = [...this.#orders.keys()].filter((code) => !this.#unsure.has(code));
    const kinds = ["create", "create", "batch", "batch", "promotion", "upload"];
    if (known.length > 0) kinds.push("twin", "patch", "patch", "remove");
    const code = known.length > 0 ? this.#random.pick(known) : "";
    const { id } = this.#orders.get(code) ?? {};
    switch (this.#random.pick(kinds)) {
      case "create": {
        const made = this.#code();
        this.#unsure.add(made);
        const { body } = await this.#send(client, "POST", "/orders", 201, { code: made });
        return this.#have(made, body as JsonObject);
      }
      case "batch":
        this.#doubt = { key: `"${this.#number}-${this.#turn}"`, codes: [this.#code(), this.#code()] };
        return this.#batch(client, this.#doubt);
      case "promotion":
        return this.#promotion(client);
      case "upload":
        return this.#upload(client);
      case "twin":
        return void (await this.#send(client, "POST", "/orders", 422, { code }));
      case "patch": {
        this.#unsure.add(code);
        const { body } = await this.#send(client, "PATCH", `/orders/${id}`, 200, { note: this.#turn });
        return this.#have(code, body as JsonObject);
      }
      default:
        this.#unsure.add(code);
        await this.#send(client, "DELETE", `/orders/${id}`, 200);
        this.#orders.delete(code);
        this.#unsure.delete(code);
    }
  }

  async #batch(client: Client, { key, codes }: Doubt): Promise<void> {
    for (const code of codes) this.#unsure.add(code);
    const requests = codes.map((code) => ({ method: "POST", path: "/orders", body: { code } }));
    const { status, body } = await client.send("POST", "/__batch", { requests }, { "Idempotency-Key": key });
    expect([status, body]).toEqual([200, expect.anything()]);
    this.acknowledged++;
    this.#doubt = undefined;
    const { responses } = body as { responses: { body: JsonObject }[] };
    for (const [at, code] of codes.entries()) this.#have(code, responses[at]!.body);
  }

  /** Two orders that are made in a sandbox come into the shared data together, or not at all. */
  async #promotion(client: Client): Promise<void> {
    const name = `s${this.#number}-${this.#turn}`;
    const codes = [this.#code(), this.#code()];
    await this.#send(client, "POST", "/__sandboxes", 201, { name });
    for (const code of codes) await this.#send(client, "POST", `/__sandbox/${name}/orders`, 201, { code });
    for (const code of codes) this.#unsure.add(code);
    await this.#send(client, "POST", `/__sandboxes/${name}/promote`, 200, { renumber: true });
    for (const code of codes) {
      const { body } = await this.#send(client, "GET", `/orders?code=${code}`, 200);
      this.#have(code, (body as JsonObject[])[0]!);
    }
    await this.#send(client, "DELETE", `/__sandboxes/${name}`, 200);
  }

  async #upload(client: Client): Promise<void> {
    const mark = this.#code();
    const form = new FormData();
    form.append("picture", new File([mark.padEnd(20_000, mark)], `${mark}.bin`));
    const response = await fetch(`${client.url}/photos`, { method: "POST", body: form });
    expect(response.status).toBe(201);
    const { picture } = (await response.json()) as { picture: { url: string } };
    this.#files.set(mark, picture.url);
    this.acknowledged++;
  }

  async #send(client: Client, method: string, path: string, status: number, body?: unknown) {
    const answer = await client.send(method, path, body);
    expect([method, path, answer.status, answer.body]).toEqual([method, path, status, answer.body]);
    this.acknowledged++;
    return answer;
  }

  #have(code: string, record: JsonObject): void {
    expect(record.code).toBe(code);
    this.#orders.set(code, record);
    this.created.add(code);
    this.#unsure.delete(code);
  }

  #code(): string {
    return `${this.#number}-${++this.#turn}`;
  }

  /** Fails if something acknowledged is not there, or a batch by half; goes on from what is there. */
  async check(database: JsonObject, server: Served, folder: string): Promise<void> {
    const found = new Map(recordsOf(database, "orders").map((order) => [String(order.code), order]));
    for (const [code, { paid, ...order }] of this.#orders) {
      const there = found.get(code);
      if (this.#unsure.has(code)) continue;
      expect(there, `order ${code}`).toMatchObject(order);
    }
    if (this.#doubt) {
      const [first, second] = this.#doubt.codes.map((code) => found.has(code));
      expect(first, "half of a batch").toBe(second);
    }
    // What nobody answered for may be there or not; what is there stays.
    const repeats = new Set(this.#doubt?.codes);
    for (const code of this.#unsure) {
      const there = found.get(code);
      if (there) this.#orders.set(code, there);
      else this.#orders.delete(code);
      if (!repeats.has(code)) this.#unsure.delete(code);
    }
    for (const code of found.keys()) {
      if (code.startsWith(`${this.#number}-`)) expect(this.#orders.has(code), `order ${code} from nowhere`).toBe(true);
    }
    for (const [mark, path] of this.#files) {
      const bytes = await (await fetch(new URL(path, server.url))).text();
      expect(bytes === mark.padEnd(20_000, mark), `file ${mark}`).toBe(true);
    }
    JSON.parse(readFileSync(join(folder, "db.json"), "utf8"));
  }
}
