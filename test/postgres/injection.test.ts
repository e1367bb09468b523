import { Agent } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin, type Standin } from "../../src/index.ts";
import { COMPARED } from "../compat/standin.ts";
import { type Answer, askAt } from "../support/api.ts";
import { serveStore } from "../support/serve-store.ts";
import { IS_SOAK } from "../support/soak.ts";
import { createStore } from "./database.ts";

/** Injections that have broken out of strings, names, patterns and numbers elsewhere. */
const ATTEMPTS = [
  "'; DROP TABLE records_1; --",
  "1 OR 1=1",
  "' OR ''='",
  '"; DELETE FROM members; --',
  "$1",
  "$$; SELECT 1; $$",
  "\\'; SELECT pg_sleep(10); --",
  "') UNION SELECT body FROM meta --",
  "%' OR '%'='",
  "a' || (SELECT value FROM meta LIMIT 1) || '",
  "{}'::jsonb OR true --",
  '"}]) OR true --',
  "\u0000",
  "a\u0000'; --",
  "ʼ; DROP TABLE members; --",
  "/**/UNION/**/SELECT/**/1",
  "x]'; SELECT 1 --",
  "(?:a)' ; --",
  "***=",
  "[[.a.]]",
  "\\y\\1",
];
const OPERATORS = ["", "_gte", "_lte", "_ne", "_like"];

let opened: Awaited<ReturnType<typeof createStore>>;
let shared: Pick<Standin, "url" | "close">;
let memory: Standin;
const agent = new Agent({ keepAlive: true });
const data = (): JsonObject => ({
  things: [
    { id: 1, name: "plain", price: 5 },
    ...ATTEMPTS.map((text, at) => ({ id: at + 2, name: text, [text]: text, nested: { [text]: [text] } })),
  ],
  ...Object.fromEntries(ATTEMPTS.map((text) => [text, [{ id: text, thing_id: 1 }]])),
});

beforeAll(async () => {
  // Field names of the configuration reach the definition of columns.
  opened = await createStore({ schema: `in"jec'tion; -- ${Date.now()}`, indexes: { things: ATTEMPTS.slice(0, 3) } });
  await opened.store.swap(data());
  shared = await serveStore(opened.store, COMPARED);
  memory = await createStandin({ data: data(), foreignKeySuffix: "_id" });
});

afterAll(async () => {
  agent.destroy();
  await shared?.close();
  await memory?.close();
  await opened?.close();
});

function askBoth(line: string, body?: object): Promise<[here: Answer, there: Answer]> {
  return Promise.all([askAt(shared.url, line, { body, agent }), askAt(memory.url, line, { body, agent })]);
}

/** One for each place that texts break out of; the soak tries all of them. */
const TRIED = IS_SOAK ? ATTEMPTS : ATTEMPTS.filter((_, at) => at % 4 === 0);

test.each(TRIED)("%j does nothing but what it does in memory, wherever it stands", async (attempt) => {
  const text = encodeURIComponent(attempt);
  const addresses = [
    `/${text}`,
    `/${text}/${text}`,
    `/things/${text}`,
    `/things/1/${text}`,
    `/${text}/${text}/things`,
    ...OPERATORS.map((operator) => `/things?name${operator}=${text}`),
    ...OPERATORS.map((operator) => `/things?${text}${operator}=${text}`),
    `/things?nested.${text}=${text}`,
    `/things?${text}.${text}=1`,
    `/things?_sort=${text}&_order=${text}`,
    `/things?_sort=nested.${text},${text}&_order=desc`,
    ...["_page", "_limit", "_start", "_end", "_embed", "_expand", "q", "callback", "_delay"].map(
      (name) => `/things?${name}=${text}`,
    ),
    `/things/1?_embed=${text}&_expand=${text}`,
  ];
  const reads = await Promise.all(addresses.map((address) => askBoth(`GET ${address}`)));
  for (const [at, [here, there]] of reads.entries()) {
    expect([addresses[at], here.status, here.text]).toEqual([addresses[at], there.status, there.text]);
  }
  const writes: [line: string, body: object][] = [
    ["POST /things", { [attempt]: attempt }],
    ["PATCH /things/1", { [attempt]: attempt }],
    [`PUT /things/${text}`, { name: attempt }],
    [`DELETE /things/1?_dependent=${text}`, {}],
    [`DELETE /${text}/${text}`, {}],
  ];
  for (const [line, body] of writes) {
    const [here, there] = await askBoth(line, body);
    expect([line, here.status, here.text]).toEqual([line, there.status, there.text]);
  }
  const [here, there] = await askBoth("GET /db");
  expect(here.text).toBe(there.text);
});
