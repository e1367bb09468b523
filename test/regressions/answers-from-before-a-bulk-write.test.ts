import { expect, test } from "vitest";
import { MAX_INDEXED_EDITS } from "../../src/store/memory/collection.ts";
import { startApi } from "../support/api.ts";

const COUNT = MAX_INDEXED_EDITS + 500;

test("a write of many records leaves nothing of what queries had found out before it", async () => {
  const items = Array.from({ length: COUNT }, (_, at) => ({ id: at + 1, n: at % 10 }));
  const { ask } = await startApi({ data: { items, companies: [{ id: 1 }, { id: 2 }] } });
  const totalOf = async (search: string): Promise<number> =>
    Number((await ask(`GET /items?${search}&_limit=1`)).headers.get("x-total-count"));
  const lengthOf = async (line: string): Promise<number> => ((await ask(line)).body as unknown[]).length;

  // A filter on a field that no record has is ignored.
  expect(await totalOf("mark=1")).toBe(COUNT);
  expect(await totalOf("n:gte=9")).toBe(COUNT / 10);
  expect(await lengthOf("GET /companies/1/items?_limit=5")).toBe(0);

  await ask("PATCH /items?_all=true", { body: { mark: 2, n: 20, company_id: 1 } });
  expect(await totalOf("mark=1")).toBe(0);
  expect(await totalOf("mark=2")).toBe(COUNT);
  expect(await totalOf("n:gte=9")).toBe(COUNT);
  expect(await lengthOf("GET /companies/1/items?_limit=5")).toBe(5);
  expect(await lengthOf("GET /companies/2/items?_limit=5")).toBe(0);

  await ask("DELETE /items?_all=true");
  expect((await ask("GET /items/1")).status).toBe(404);
  expect((await ask("POST /items", { body: { mark: 3 } })).body).toEqual({ id: 1, mark: 3 });
  expect(await totalOf("mark=3")).toBe(1);
});

test("a range of most records has the same groups as a scan", async () => {
  const items = Array.from({ length: 12_000 }, (_, at) => ({ id: at + 1, n: at % 4 }));
  const { ask } = await startApi({ data: { items } });
  for (let time = 0; time < 2; time++) {
    const { body } = await ask("GET /items?n:gte=1&_group=n&_aggregate=count,min:id");
    expect(body).toMatchObject([
      { n: 1, count: 3000 },
      { n: 2, count: 3000 },
      { n: 3, count: 3000 },
    ]);
  }
});
