import { beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { askAt, idsOf, startApi } from "../support/api.ts";

const stays = [
  { id: 1, check_in: "Monday, noon", guests: 2, "-count": 7, "-guests": 1, "guests:gt": 5, _or: "x", _rev: 3 },
  { id: 2, check_in: "Tuesday", guests: 3, "-guests": 0 },
];

describe("a field always wins", () => {
  test("over a list in a JSON body, whose commas belong to the text", async () => {
    const { ask } = await startApi({ data: { stays } });
    expect(idsOf(await ask("QUERY /stays", { body: { "check_in[]": ["Monday, noon"] } }))).toEqual([1]);
    expect(idsOf(await ask("QUERY /stays", { body: { "check_in:in": ["Monday, noon", "Tuesday"] } }))).toEqual([1, 2]);
    expect(idsOf(await ask("QUERY /stays", { body: { "guests:gt": ["5"] } }))).toEqual([1]);
  });

  test("but the rows of groups are sorted by their own columns", async () => {
    const { ask } = await startApi({ data: { stays: [...stays, { id: 3, guests: 3 }] } });
    const { body } = await ask("GET /stays?_group=guests&_sort=-count");
    expect(body).toEqual([
      { guests: 3, count: 2 },
      { guests: 2, count: 1 },
    ]);
    expect((await ask("GET /stays?_group=-guests&_sort=-guests")).body).toEqual([
      { "-guests": 0, count: 1 },
      { "-guests": 1, count: 1 },
      { "-guests": null, count: 1 },
    ]);
  });

  test("on a singleton", async () => {
    const profile = { name: "Ada", _fields: "x" };
    const { ask } = await startApi({ data: { profile, settings: { name: "Ada", size: 1 } } });
    expect((await ask("GET /profile?_fields=name")).body).toEqual(profile);
    expect((await ask("GET /settings?_fields=name")).body).toEqual({ name: "Ada" });
  });

  test("with strict handling of a single record", async () => {
    const { ask } = await startApi({ data: { stays } });
    const headers = { prefer: "handling=strict" };
    expect((await ask("GET /stays/2?_rev=3", { headers })).status).toBe(200);
    expect((await ask("GET /stays/2?_revision=3", { headers })).body).toMatchObject({ code: "QUERY_FIELD_UNKNOWN" });
  });
});

describe("a nested route", () => {
  let standin: Standin;
  beforeAll(async () => {
    const companies = [{ id: 1 }, { id: 2 }];
    const products = [
      { id: 1, company_id: 1 },
      { id: 2, company_id: 2 },
    ];
    standin = await createStandin({ data: { companies, products, notes: [{ id: 1, text: "free" }] } });
    return () => standin.close();
  });

  test.each(["company_id:eq=2", "company_id:in=2,3", "company_id_in=2", "_or=company_id=2", '_where={"company_id":2}'])(
    "combines its own condition with %s",
    async (condition) => {
      expect(idsOf(await askAt(standin.url, `GET /companies/1/products?${condition}`))).toEqual([]);
    },
  );

  test("decides over a plain filter on its key, as in 0.17", async () => {
    expect(idsOf(await askAt(standin.url, "GET /companies/1/products?company_id=2"))).toEqual([1]);
  });

  test("has no rows of groups that were made for a filter on a field no record has", async () => {
    const rows = [{ text: "free", count: 1 }];
    expect((await askAt(standin.url, "GET /notes?companyId=1&_group=text")).body).toEqual(rows);
    expect((await askAt(standin.url, "GET /companies/1/notes?_group=text")).body).toEqual([]);
  });
});
