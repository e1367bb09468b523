import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { parseParameters, readQuery } from "../../src/query/parse-query.ts";
import { Random } from "../compat/random.ts";
import { walkUnderWrites } from "../query-language/walk.ts";
import { expectEqual } from "../support/expect-equal.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { createStore } from "./database.ts";

/** npm run soak walks more. */
const WALKS = Number(process.env.STANDIN_CURSOR_POSTGRES_WALKS ?? 4);
const SEED = Number(process.env.STANDIN_SEED ?? 1);

let opened: Awaited<ReturnType<typeof createStore>>;

beforeAll(async () => {
  opened = await createStore({ indexes: { things: ["price", "name"] } });
});

afterAll(() => opened.close());

test(`${WALKS} walks meet every record that stayed, and none twice (STANDIN_SEED=${SEED})`, async () => {
  const random = new Random(SEED + 5);
  const open = async (things: JsonObject[]) => {
    await opened.store.swap({ things });
    return opened.store;
  };
  let pages = 0;
  for (let walk = 0; walk < WALKS; walk++) {
    const report = await walkUnderWrites(open, random, 20);
    expectEqual({ ...report, twice: [], missed: [], wrong: [] }, report);
    pages += report.pages;
  }
  tellNumbers(`${WALKS} walks of ${pages} pages in PostgreSQL: no record twice, none missed.`);
});

test("a cursor is refused once the data has been replaced", async () => {
  const { store } = opened;
  const things = [{ id: 1 }, { id: 2 }, { id: 3 }];
  const ask = async (cursor: string) => {
    const query = await readQuery(store, "things", parseParameters(`_limit=1&_after=${cursor}`));
    return store.find("things", query);
  };
  await store.swap({ things });
  const { next } = await ask("");
  expect((await ask(next!)).records.map(({ value }) => value)).toEqual([{ id: 2 }]);
  await store.swap({ things });
  await expect(ask(next!)).rejects.toMatchObject({ code: "CURSOR_INVALID" });
});

test("a forged cursor with a place between two records goes on behind it", async () => {
  const { store } = opened;
  await store.swap({ things: [{ id: 1 }, { id: 2 }] });
  const ask = async (cursor: string) =>
    store.find("things", await readQuery(store, "things", parseParameters(`_limit=1&_after=${cursor}`)));
  const { next = "" } = await ask("");
  const [mark, slot] = JSON.parse(Buffer.from(next, "base64url").toString().slice(10)) as [string, number];
  const content = JSON.stringify([mark, slot + 0.5]);
  const hash = createHash("sha256").update(content).digest("base64url").slice(0, 10);
  const { records } = await ask(Buffer.from(hash + content).toString("base64url"));
  expect(records.map(({ value }) => value)).toEqual([{ id: 2 }]);
});
