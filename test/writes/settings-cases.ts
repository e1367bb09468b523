import type { JsonObject } from "../../src/base/json/json.ts";
import { type CollectionOptions, createStandin } from "../../src/index.ts";
import { type Answer, type AskOptions, askAt } from "../support/api.ts";

export const SEED = 7;
export const SETTINGS: Readonly<Record<string, CollectionOptions>> = {
  orders: { id: "prefix:ord_", timestamps: true, defaults: { status: "new", tags: [] } },
  lines: { timestamps: { created: "made" }, defaults: { count: 1 } },
  numbers: { id: "increment" },
  uuids: { id: "uuid" },
  times: { id: "uuid7", timestamps: { updated: "changed" } },
  nanos: { id: "nanoid" },
  profile: { timestamps: true, defaults: { theme: "dark" } },
};
export const DATA: JsonObject = {
  orders: [{ id: "old", status: "paid" }],
  lines: [],
  numbers: [{ id: "a" }, { id: "b" }],
  uuids: [],
  times: [],
  nanos: [],
  free: [],
  profile: { name: "me" },
};

/** A clock that goes on by a second with each request. */
export interface Clock {
  now(): number;
  tick(): void;
}

export function createClock(): Clock {
  let time = Date.UTC(2030, 0, 1);
  return {
    now: () => time,
    tick: () => {
      time += 1000;
    },
  };
}

const merge = { headers: { "Content-Type": "application/merge-patch+json" } };
const jsonPatch = { headers: { "Content-Type": "application/json-patch+json" } };
const dryRun = { headers: { Prefer: "tx=rollback" } };
const upsert = { headers: { Prefer: "resolution=merge-duplicates" } };
const BAD = "1999-01-01T00:00:00.000Z";

/** Each kind of write, once. `{0}` is the id of the first new order. */
const REQUESTS: readonly (readonly [string, AskOptions?])[] = [
  ["POST /orders", { ...dryRun, body: { total: 1 } }],
  ["POST /orders", { body: { total: 1 } }],
  ["POST /orders", { body: [{ id: "own", status: null, tags: ["x"] }, {}, { created_at: BAD, updated_at: null }] }],
  ["POST /orders/own/lines", { body: { sku: "p1" } }],
  ["PUT /orders/{0}", { body: { total: 2, created_at: BAD } }],
  ["PATCH /orders/{0}", { body: { total: 3, created_at: BAD, updated_at: BAD } }],
  ["PATCH /orders/{0}", { ...merge, body: { created_at: null, tags: ["y"] } }],
  ["PATCH /orders/{0}", { ...jsonPatch, body: [{ op: "remove", path: "/created_at" }] }],
  ["PATCH /orders?status=new", { headers: { Prefer: "return=representation" }, body: { status: "open" } }],
  ["PUT /orders/old", { body: { status: "sent", created_at: BAD } }],
  ["POST /orders", { ...upsert, body: [{ id: "old", total: 9 }, { id: "ord_2" }, { total: 10 }] }],
  ["POST /numbers", { body: { name: "first" } }],
  ["POST /numbers", { body: [{}, { id: 9 }, {}] }],
  ["POST /uuids", { body: [{}, {}] }],
  ["POST /times", { body: [{}, {}, {}] }],
  ["POST /nanos", { body: {} }],
  ["POST /free", { body: {} }],
  [
    "POST /__batch",
    {
      body: {
        requests: [
          { method: "POST", path: "/orders", body: { total: 11 }, as: "order" },
          { method: "POST", path: "/lines", body: { order_id: "{{order.id}}" } },
          { method: "PATCH", path: "/orders/{{order.id}}", body: { total: 12 } },
        ],
      },
    },
  ],
  ["PATCH /profile", { body: { name: "you" } }],
  ["GET /db"],
];

export type Ask = (line: string, options?: AskOptions) => Promise<Answer>;

/** The status and body of each response. */
export async function transcript(ask: Ask, clock: Clock): Promise<[string, number, unknown][]> {
  const said: [string, number, unknown][] = [];
  let first = "";
  for (const [line, options] of REQUESTS) {
    clock.tick();
    const { status, body } = await ask(line.replace("{0}", first), options);
    if (first === "") first = (body as { id: string }).id;
    said.push([line, status, withoutHeaders(body)]);
  }
  return said;
}

/** Without the addresses and tags in the responses of a batch. */
function withoutHeaders(body: unknown): unknown {
  const { responses } = body as { responses?: { body: unknown }[] };
  return responses ? { responses: responses.map((response) => ({ body: response.body })) } : body;
}

/** The transcript of a server with its data in memory: what every other store has to say, too. */
export async function expectedTranscript(): Promise<[string, number, unknown][]> {
  const clock = createClock();
  await using api = await createStandin({ data: DATA, collections: SETTINGS, seed: SEED, clock: clock.now });
  return await transcript((line, options) => askAt(api.url, line, options), clock);
}
