import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { atOnce, type Work } from "../../../src/base/slices.ts";
import type { WorkAccount } from "../../../src/base/work-account.ts";
import { readAssignments } from "../../../src/features/members/assignments.ts";
import { computeRecords } from "../../../src/features/members/compute-records.ts";
import { createStandin, type Standin } from "../../../src/index.ts";
import type { Transaction } from "../../../src/store/store.ts";
import { StoredRecord } from "../../../src/store/stored-record.ts";
import { askAt } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import type { Ask } from "./cases.ts";
import { PRODUCTS, runComputations } from "./compute-cases.ts";

const RULES = {
  products: { properties: { price: { type: ["number", "null"], maximum: 1000 }, secret: { writeOnly: true } } },
};

describe("POST /__collections/<name>/compute", () => {
  let api: Standin<JsonObject>;
  beforeAll(async () => {
    api = await createStandin<JsonObject>({
      data: { products: PRODUCTS, users: [{ id: "a", n: 1 }, { id: "b" }], profile: {} },
      rules: RULES,
      clock: "2026-11-17T12:00:00Z",
    });
  });
  afterAll(() => api.close());
  const askIn = (sandbox: string): Ask => {
    return (line, options) => askAt(api.url, line.replace(" ", ` /__sandbox/${sandbox}`), options);
  };
  const compute = (ask: Ask, body: object, headers = {}) =>
    ask("POST /__collections/products/compute", { body, headers });

  test("in a sandbox: values, mistakes, and dry runs that change nothing", async () => {
    await runComputations(askIn("cases"));
    expect((await askAt(api.url, "GET /products")).body).toEqual(PRODUCTS);
  });

  test("is one change, which one undo takes back", async () => {
    const ask = askIn("one-change");
    await compute(ask, { set: { price: "1", sold: "today", at: "now" }, where: "_all=true" });
    const { body } = await ask("GET /__changes");
    expect(body).toMatchObject({ changes: [{ edits: { length: 4 } }] });
    expect((await ask("GET /products/1")).body).toMatchObject({ sold: "2026-11-17", at: "2026-11-17T12:00:00.000Z" });
    await askAt(api.url, "POST /__sandboxes/one-change/undo", { body: {} });
    expect((await ask("GET /products")).body).toEqual(PRODUCTS);
  });

  test("is one version of the history, which can be reverted", async () => {
    const ask: Ask = (line, options) => askAt(api.url, line, options);
    const versions = async () => ((await ask("GET /__history")).body as { versions: { version: number }[] }).versions;
    const before = (await versions()).length;
    await compute(ask, { set: { price: "2" }, where: "_all=true" });
    const [latest, ...others] = await versions();
    expect(others).toHaveLength(before);
    await ask(`POST /__history/${latest?.version}/revert`, { body: {} });
    expect((await ask("GET /products")).body).toEqual(PRODUCTS);
  });

  test("the rules judge every record, and all or none change", async () => {
    const ask = askIn("rules");
    const { status, body } = await compute(ask, { set: { price: "price * 101" }, where: "id:lte=2" });
    expect([status, body]).toMatchObject([422, { code: "RECORD_INVALID" }]);
    expect((await ask("GET /products")).body).toEqual(PRODUCTS);
    expect((await compute(ask, { set: { price: "price * 9" }, where: "id=1" })).status).toBe(200);
  });

  test("write-only fields are not shown", async () => {
    const { text } = await compute(askIn("secret"), { set: { secret: "'hush'" }, ids: [1] });
    expect(text).toContain('"count":1');
    expect(text).not.toContain("hush");
  });

  test("random values suit the field, and a dry run shows those that will be written", async () => {
    const ask = askIn("random");
    const body = {
      set: { email: "random", price: "random", is_new: "random", dice: "random(1, 6)" },
      where: "_all=true",
    };
    const trial = await compute(ask, { ...body, dryRun: true });
    const answer = await compute(ask, body);
    expect(answer.body).toEqual(trial.body);
    const found = (await ask("GET /products")).body as JsonObject[];
    for (const { email, price, is_new, dice } of found) {
      expect(email).toMatch(/@example\./);
      expect([typeof price, typeof is_new]).toEqual(["number", "boolean"]);
      expect([1, 2, 3, 4, 5, 6]).toContain(dice);
    }
    expect(new Set(found.map(({ email }) => email)).size).toBe(4);
  });

  test("Prefer: max-affected and tx=rollback", async () => {
    const ask = askIn("prefer");
    const body = { set: { price: "1" }, where: "_all=true" };
    const tooMany = await compute(ask, body, { Prefer: "max-affected=3" });
    expect([tooMany.status, tooMany.body]).toMatchObject([400, { code: "MAX_AFFECTED" }]);
    const trial = await compute(ask, body, { Prefer: "tx=rollback" });
    expect(trial.headers.get("Preference-Applied")).toBe("tx=rollback");
    expect((await ask("GET /products")).body).toEqual(PRODUCTS);
  });

  test("text ids, singletons and collections that do not exist", async () => {
    const ask = askIn("others");
    const send = (name: string) =>
      ask(`POST /__collections/${name}/compute`, { body: { set: { n: "if(n = null, 5, n)" }, ids: ["b"] } });
    expect((await send("users")).body).toMatchObject({ count: 1, examples: [{ after: { id: "b", n: 5 } }] });
    expect((await send("profile")).body).toMatchObject({ code: "COLLECTION_NOT_FOUND" });
    expect((await send("nothing")).status).toBe(404);
  });
});

test("in a file: written, and read again", async () => {
  const folder = createFolder({ "db.json": JSON.stringify({ products: PRODUCTS }) });
  const file = join(folder, "db.json");
  await using api = await createStandin<JsonObject>({ source: file, persist: true });
  const { status } = await askAt(api.url, "POST /__collections/products/compute", {
    body: { set: { price: "price * 2" }, where: "price:gt=10" },
  });
  expect(status).toBe(200);
  await api.close();
  expect(JSON.parse(readFileSync(file, "utf8")).products[1]).toMatchObject({ id: 2, price: 25 });
});

function* done<T>(value: T): Work<T> {
  yield;
  return value;
}

test("many records are computed with pauses, and at no cost unless texts are replaced", () => {
  const found = Array.from({ length: 4096 }, (_, id) => new StoredRecord({ id, price: id }, 1, id));
  const data = {
    matching: () => done(found),
    apply: ({ before }: { before: StoredRecord }) => done([{ name: "products", before, after: before }]),
  };
  const charged = new Error("charged");
  const account = {
    expectClient() {},
    charge() {
      throw charged;
    },
  } as unknown as WorkAccount;
  const computing = (expression: string) =>
    computeRecords(data as unknown as Transaction, {
      collection: "products",
      idKey: "id",
      assignments: readAssignments({ price: expression }, "id"),
      match: { where: [], search: "", account },
      ids: undefined,
      max: undefined,
      now: "",
      maker: undefined,
    });
  const work = computing("round(price * 1.1, 2)");
  let pauses = 0;
  while (!work.next().done) pauses++;
  expect(pauses).toBeGreaterThan(4000 + 250);
  // Replacements in long texts could take for ever, so they are charged to the budget of the request.
  expect(() => atOnce(computing("replace('a', 'a', 'b')"))).toThrow(charged);
});
