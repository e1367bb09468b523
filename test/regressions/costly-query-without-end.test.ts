import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import { connectOverHttp } from "../features/agents/agent.ts";
import { askAt, codeOf, startApi } from "../support/api.ts";
import { limit } from "../support/limits.ts";
import { IS_SOAK } from "../support/soak.ts";

const RECORDS = 20_000;

function data() {
  return {
    items: Array.from({ length: RECORDS }, (_, at) => ({ id: at + 1, text: `lorem ipsum ${at} dolor sit amet`, n: 0 })),
    companies: [{ id: 1, name: "Acme" }],
  };
}

/** Matches no record, and takes a test of each pattern to find out: none has a letter that an index could look up. */
const WHERE = {
  or: Array.from({ length: 190 }, (_, at) => ({ text: { like: `(a|b)*[xy]+[qz]{${at + 1}}$` } })),
};
const SEARCH = `_where=${encodeURIComponent(JSON.stringify(WHERE))}`;
/** Matches every record after as many tests. */
const ALL = `_where=${encodeURIComponent(JSON.stringify({ or: [...WHERE.or.slice(0, 99), { n: { eq: 0 } }] }))}`;
const DRY = { Prefer: "tx=rollback" };
const patch = (search: string) => ({ method: "PATCH", path: `/items?${search}`, body: { n: 1 } });

test("a request whose conditions take too long is refused with the reason, wherever it is sent", async () => {
  const { ask } = await startApi({ data: data(), queryBudget: 50 });
  const refused = await ask(`GET /items?${SEARCH}`);
  expect([refused.status, codeOf(refused)]).toEqual([503, "QUERY_TOO_COSTLY"]);
  expect((refused.body as { message: string }).message).toContain("50 ms of CPU time");
  const others = [
    await ask("QUERY /items", { body: { _where: WHERE } }),
    await ask(`GET /__sandbox/s/items?${SEARCH}`),
    await ask(`GET /items?_aggregate=count&${SEARCH}`),
    await ask(`GET /items?_after=&${SEARCH}`),
    await ask(`PATCH /items?${SEARCH}`, { body: { n: 1 } }),
    await ask(`PATCH /items?${SEARCH}`, { body: { n: 1 }, headers: DRY }),
    await ask(`DELETE /items?${SEARCH}`),
    await ask(`DELETE /__sandbox/s/items?${SEARCH}`),
    await ask("POST /__batch", { body: { requests: [{ ...patch("id=1") }, patch(SEARCH)] } }),
    await ask("POST /__batch", { body: { requests: [patch(SEARCH)] }, headers: DRY }),
  ];
  expect(others.map((one) => [one.status, codeOf(one)])).toEqual(others.map(() => [503, "QUERY_TOO_COSTLY"]));
  expect((await ask("GET /items?n=1")).body).toEqual([]);
  expect((await ask("GET /__sandbox/s/items?_limit=1")).headers.get("x-total-count")).toBe(String(RECORDS));
});

test("many writes by filter in one batch are too costly together", async () => {
  const { ask } = await startApi({ data: data(), queryBudget: 100 });
  const requests = Array.from({ length: 90 }, () => patch("_all=true"));
  for (const headers of [DRY, {}]) {
    expect(codeOf(await ask("POST /__batch", { body: { requests }, headers }))).toBe("QUERY_TOO_COSTLY");
  }
  expect((await ask("GET /items?n=1")).body).toEqual([]);
  // One of them is not counted, however small the budget.
  expect((await ask("PATCH /items?_all=true", { body: { n: 1 } })).status).toBe(200);
});

test("an agent has the same budget, and reads the reason", async () => {
  const { url } = await startApi({ data: data(), queryBudget: 50 });
  const agent = await connectOverHttp(url, "2025-11-25");
  const refused = await agent.call("query", { path: `/items?${SEARCH}` });
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain("QUERY_TOO_COSTLY");
});

test("the program API has the same budget", async () => {
  await using api = await createStandin({ data: data(), queryBudget: 50 });
  await expect(api.db.items.find(SEARCH)).rejects.toMatchObject({ code: "QUERY_TOO_COSTLY" });
  await expect(api.sandbox().db.items.find(SEARCH)).rejects.toMatchObject({ code: "QUERY_TOO_COSTLY" });
});

test("a budget of 0 is none", async () => {
  const { ask } = await startApi({ data: { items: data().items.slice(0, 300) }, queryBudget: 0 });
  expect((await ask(`GET /items?${SEARCH}`)).body).toEqual([]);
});

test("a write whose client leaves while its records are searched changes nothing, and ends", async () => {
  await using api = await createStandin({ data: data(), queryBudget: 0 });
  const { hostname, port } = new URL(api.url);
  const left = new Promise<void>((resolve) => {
    const headers = { "content-type": "application/json" };
    const sending = request({ host: hostname, port, method: "PATCH", path: `/items?${ALL}`, headers });
    sending.on("error", () => resolve());
    sending.end(JSON.stringify({ n: 1 }), async () => {
      await askAt(api.url, "GET /companies/1");
      sending.destroy();
    });
  });
  await left;
  // Writes wait for those before them, so this one shows that the other has ended.
  expect((await askAt(api.url, "PATCH /companies/1", { body: { name: "Blue" } })).status).toBe(200);
  expect((await askAt(api.url, "GET /items?n=1")).body).toEqual([]);
});

describe("groups that need too much memory", () => {
  const many = Array.from({ length: 20_000 }, (_, at) => ({ id: at + 1, uniq: `u${at}` }));
  // Long names, because each row repeats them.
  const aggregates = Array.from({ length: 98 }, (_, at) => `sum:${"f".repeat(110)}${at}`).join(",");
  const line = `GET /items?_limit=1&_group=uniq,id&_aggregate=${aggregates}`;

  test("are refused, also many at once, and the server goes on", { timeout: limit(60_000) }, async () => {
    const { ask } = await startApi({ data: { items: many }, queryBudget: 0 });
    const answers = await Promise.all(Array.from({ length: IS_SOAK ? 4 : 2 }, () => ask(line)));
    for (const answer of answers) expect([answer.status, codeOf(answer)]).toEqual([503, "QUERY_TOO_COSTLY"]);
    expect((answers[0]!.body as { message: string }).message).toContain("memory");
    // The memory they held is free again.
    const rows = (await ask("GET /items?_group=uniq&_aggregate=count&_limit=1")).headers.get("x-total-count");
    expect(rows).toBe(String(many.length));
    expect((await ask(`${line}&id:lte=10`)).status).toBe(200);
  });
});
