import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFetch } from "../../../src/app/fetch.ts";
import type { HistoryChange, HistoryPage, HistoryVersion } from "../../../src/features/history/types.ts";
import { createStandin } from "../../../src/index.ts";
import { type Answer, type Api, askAt, codeOf, idsOf, startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { testAtLength } from "../../support/soak.ts";

const DATA = {
  products: [
    { id: 1, name: "Hat", price: 5, company_id: 1 },
    { id: 2, name: "Cap", price: 6, company_id: 1 },
    { id: 3, name: "Bag", price: 7, company_id: 2 },
  ],
  companies: [{ id: 1 }, { id: 2 }],
  settings: { theme: "dark" },
};

const pageOf = ({ body }: Answer) => body as HistoryPage;
const versionsOf = (answer: Answer) => pageOf(answer).versions.map(({ summary }) => summary);
const dbOf = async (api: Api) => (await api.ask("GET /db")).text;

async function latestOf(api: Pick<Api, "ask">): Promise<HistoryVersion> {
  return pageOf(await api.ask("GET /__history?limit=1")).versions[0] as HistoryVersion;
}

async function change(api: Pick<Api, "ask">, line: string, body?: unknown): Promise<number> {
  const answer = await api.ask(line, body === undefined ? {} : { body });
  expect(answer.status, `${line}: ${answer.text}`).toBeLessThan(300);
  return (await latestOf(api)).version;
}

const revert = (api: Api, version: number, body: unknown = {}) =>
  api.ask(`POST /__history/${version}/revert`, { body });

describe("the list of versions", () => {
  test("names every change, newest first, with its origin and counts", async () => {
    const api = await startApi({ data: DATA });
    expect(pageOf(await api.ask("GET /__history")).versions).toEqual([]);
    const first = await change(api, "POST /products", { name: "Sock" });
    await change(api, "PATCH /products?company_id=1", { price: 1 });
    await change(api, "DELETE /products/3");
    const { versions, oldest, latest } = pageOf(await api.ask("GET /__history"));
    expect(versions.map(({ summary }) => summary)).toEqual([
      "products: 1 removed",
      "products: 2 updated",
      "products: 1 created",
    ]);
    expect(versions[0]).toEqual({
      version: first + 2,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      by: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      kind: "change",
      counts: { products: { created: 0, updated: 0, removed: 1 } },
      summary: "products: 1 removed",
      kept: true,
    });
    expect([oldest, latest]).toEqual([first - 1, first + 2]);
  });

  test("is filtered by collection, record, origin and time, and has pages", async () => {
    let now = Date.parse("2030-01-01T10:00:00Z");
    const api = await startApi({ data: DATA, clock: () => now });
    await change(api, "PATCH /products/1", { price: 1 });
    now += 60_000;
    await change(api, "PATCH /products/2", { price: 2 });
    await api.ask("PATCH /companies/1", { body: { name: "c" }, headers: { "X-Standin-Console": "1" } });
    const list = async (search: string) => versionsOf(await api.ask(`GET /__history?${search}`));
    expect(await list("collection=companies")).toEqual(["companies: 1 updated"]);
    expect(await list("collection=products&id=2")).toEqual(["products: 1 updated"]);
    expect(await list("collection=products&id=3")).toEqual([]);
    expect(await list("by=console")).toEqual(["companies: 1 updated"]);
    expect(await list("since=-30s")).toHaveLength(2);
    expect(await list("since=2030-01-01T10:00:30Z")).toHaveLength(2);
    expect(await list("since=2030-01-01T12:00:00%2B01:00")).toHaveLength(0);
    const first = pageOf(await api.ask("GET /__history?limit=2"));
    const second = pageOf(await api.ask(`GET /__history?limit=2&before=${first.next}`));
    expect([first.versions.length, second.versions.length, second.next]).toEqual([2, 1, undefined]);
  });

  test("one version shows the edits of a collection or of a record, where it is asked for them", async () => {
    const api = await startApi({ data: DATA });
    const version = await change(api, "PATCH /products?_all=true", { price: 1 });
    const read = async (search: string) => (await api.ask(`GET /__history/${version}?${search}`)).body as HistoryChange;
    expect(await read("collection=products&id=2")).toMatchObject({
      edits: [{ id: 2, before: { price: 6 } }],
      total: 1,
    });
    expect(await read("collection=products&limit=1")).toMatchObject({ edits: [{ id: 1 }], total: 3 });
    expect(await read("collection=companies")).toMatchObject({ edits: [], total: 0 });
    expect((await api.ask(`GET /__history/${version}?id=2`)).status).toBe(400);
  });

  test("a write of the console is told its version, others are not, and nothing that changes nothing", async () => {
    const api = await startApi({ data: DATA });
    const headers = { "X-Standin-Console": "1" };
    const told = async (line: string, options = {}) => (await api.ask(line, options)).headers.get("X-Standin-Version");
    const batch = { requests: [{ method: "DELETE", path: "/products/2" }] };
    for (const [line, body] of [
      ["POST /products", { name: "Sock" }],
      ["PATCH /products/1", { price: 1 }],
      ["PATCH /products?_all=true", { price: 2 }],
      ["PATCH /settings", { theme: "light" }],
      ["POST /__batch", batch],
      ["DELETE /products/1", undefined],
    ] as const) {
      const given = await told(line, { headers, ...(body && { body }) });
      expect(given, line).toBe(String((await latestOf(api)).version));
    }
    expect(await told("PATCH /products?price=77", { headers, body: { price: 1 } })).toBeNull();
    expect(await told("PATCH /products/3", { headers: { ...headers, Prefer: "tx=rollback" }, body: {} })).toBeNull();
    expect(await told("PATCH /products/3", { body: { price: 3 } })).toBeNull();
    const off = await startApi({ data: DATA, history: "off" });
    expect((await off.ask("DELETE /products/1", { headers })).headers.get("X-Standin-Version")).toBeNull();
  });

  test.each(["limit=0", "limit=1001", "id=3", "since=yesterday", "limit=x"])("%s is refused", async (search) => {
    const api = await startApi({ data: DATA });
    const answer = await api.ask(`GET /__history?${search}`);
    expect([answer.status, codeOf(answer)]).toEqual([400, expect.stringMatching(/HISTORY_INVALID|QUERY_INVALID/)]);
  });

  test("one batch is one version", async () => {
    const api = await startApi({ data: DATA });
    await change(api, "POST /__batch", {
      requests: [
        { method: "POST", path: "/companies", body: { name: "New" }, as: "company" },
        { method: "PATCH", path: "/products/1", body: { company_id: "{{company.id}}" } },
        { method: "DELETE", path: "/products/3" },
      ],
    });
    expect(versionsOf(await api.ask("GET /__history"))).toHaveLength(1);
  });
});

describe("one version", () => {
  test("shows records before and after, in windows", async () => {
    const api = await startApi({ data: DATA });
    const version = await change(api, "PATCH /products?company_id=1", { price: 9 });
    const shown = (await api.ask(`GET /__history/${version}?start=1&limit=1`)).body as HistoryChange;
    expect(shown).toMatchObject({ version, summary: "products: 2 updated", total: 2 });
    expect(shown.edits).toEqual([
      {
        collection: "products",
        id: 2,
        before: { id: 2, name: "Cap", price: 6, company_id: 1 },
        after: { id: 2, name: "Cap", price: 9, company_id: 1 },
      },
    ]);
  });

  test("has null where a record was not there", async () => {
    const api = await startApi({ data: DATA });
    const made = await change(api, "POST /products", { name: "Sock" });
    const gone = await change(api, "DELETE /products/4");
    const editOf = async (version: number) =>
      ((await api.ask(`GET /__history/${version}`)).body as HistoryChange).edits[0];
    expect(await editOf(made)).toEqual({ collection: "products", id: 4, before: null, after: { id: 4, name: "Sock" } });
    expect(await editOf(gone)).toEqual({ collection: "products", id: 4, before: { id: 4, name: "Sock" }, after: null });
  });

  test("leaves out fields that the rules call write-only", async () => {
    const rules = { products: { properties: { pin: { type: "string", writeOnly: true } } } };
    const api = await startApi({ data: DATA, rules });
    const version = await change(api, "PATCH /products/1", { pin: "1234" });
    await change(api, "PATCH /products/1", { pin: "5678", name: "Other" });
    expect((await api.ask(`GET /__history/${version}`)).text).not.toContain("1234");
    const conflict = await revert(api, version);
    expect([conflict.status, conflict.text.includes("1234"), conflict.text.includes("5678")]).toEqual([
      409,
      false,
      false,
    ]);
  });

  test("leaves out fields that an OpenAPI document calls write-only, and those that only its requests have", async () => {
    const fields = { id: { type: "integer" }, name: { type: "string" }, pin: { type: "string", writeOnly: true } };
    const schema = { type: "object", properties: fields };
    const sent = { type: "object", properties: { ...fields, password: { type: "string" } } };
    const content = (of: object) => ({ content: { "application/json": { schema: of } } });
    const document = {
      openapi: "3.1.0",
      info: { title: "Users", version: "1" },
      paths: {
        "/users": {
          get: { responses: { 200: { description: "", ...content({ type: "array", items: schema }) } } },
          post: { requestBody: content(sent), responses: { 201: { description: "", ...content(schema) } } },
        },
      },
    };
    const folder = createFolder({ "openapi.json": JSON.stringify(document) });
    await using standin = await createStandin({ source: join(folder, "openapi.json"), data: { users: [] } });
    const api: Pick<Api, "ask"> = { ask: (line, options) => askAt(standin.url, line, options) };
    const version = await change(api, "POST /users", { name: "Ann", pin: "1234", password: "5678" });
    const { text } = await api.ask(`GET /__history/${version}`);
    expect(text).toContain("Ann");
    expect(text).not.toMatch(/1234|5678/);
    for (const path of [`/users?_at=${version}`, `/__at/${version}/users`]) {
      const past = await api.ask(`GET ${path}`);
      expect(past.text, path).toContain("Ann");
      expect(past.text, path).not.toMatch(/1234|5678/);
    }
  });

  test.each([
    ["GET /__history/99999", 404, "VERSION_NOT_FOUND"],
    ["GET /__history/first", 400, "HISTORY_INVALID"],
    ["GET /__history/1?limit=5000", 400, "HISTORY_INVALID"],
    ["POST /__history/99999/revert", 404, "VERSION_NOT_FOUND"],
    ["POST /__history/restore", 400, "HISTORY_INVALID"],
    ["PUT /__history", 405, "METHOD_NOT_ALLOWED"],
  ])("%s: %i %s", async (line, status, code) => {
    const api = await startApi({ data: DATA });
    const answer = await api.ask(line);
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });
});

describe("revert", () => {
  const WRITES: [line: string, body?: unknown][] = [
    ["POST /products", { name: "Sock" }],
    ["POST /products", [{ name: "a" }, { name: "b" }]],
    ["PUT /products/2", { name: "Other" }],
    ["PATCH /products/1", { price: 50 }],
    ["DELETE /products/2"],
    ["DELETE /companies/1?_dependent=products"],
    ["PATCH /products?company_id=1", { price: 0 }],
    ["DELETE /products?company_id=1"],
    ["PATCH /settings", { theme: "light" }],
    ["POST /__collections", { name: "orders" }],
    ["PATCH /__collections/companies", { name: "firms" }],
    ["DELETE /__collections/companies"],
    ["DELETE /__collections/settings"],
    ["POST /__reset"],
  ];

  test.each([...WRITES])(
    "%s is taken back, byte for byte, and a revert of the revert brings it again",
    async (line, body) => {
      const api = await startApi({ data: DATA });
      await change(api, "PATCH /products/3", { name: "Changed before" });
      const before = await dbOf(api);
      const version = await change(api, line, body);
      const after = await dbOf(api);
      expect(after).not.toBe(before);
      const reverted = await revert(api, version);
      expect(reverted.body).toMatchObject({ cause: "revert", version: version + 1, kept: true });
      expect(await dbOf(api)).toBe(before);
      expect((await revert(api, version + 1)).status).toBe(200);
      expect(await dbOf(api)).toBe(after);
    },
  );

  test.each([...WRITES])("%s is taken back under a later change of another record", async (line, body) => {
    const api = await startApi({ data: { ...DATA, others: [{ id: 1, n: 1 }] } });
    await change(api, "PATCH /products/3", { name: "Changed before" });
    const before = await dbOf(api);
    const version = await change(api, line, body);
    if ((await api.ask("GET /others/1")).status === 200) await change(api, "PATCH /others/1", { n: 2 });
    const reverted = await revert(api, version);
    expect(reverted.status, reverted.text).toBe(200);
    expect(await dbOf(api)).toBe(before.replace('"n":1', '"n":2'));
  });

  test("of a revert is a revert: it conflicts with later changes, merges fields, and can be reverted itself", async () => {
    const api = await startApi({ data: DATA });
    const changed = await change(api, "PATCH /products/1", { name: "Changed" });
    const reverted = await change(api, `POST /__history/${changed}/revert`);
    await change(api, "PATCH /products/1", { price: 99 });
    const conflict = await revert(api, reverted);
    expect([conflict.status, codeOf(conflict)]).toEqual([409, "REVERT_CONFLICT"]);
    const again = await revert(api, reverted, { fields: true });
    expect([again.status, again.body]).toEqual([200, expect.objectContaining({ cause: "revert" })]);
    expect((await api.ask("GET /products/1")).body).toMatchObject({ name: "Changed", price: 99 });
    const { version } = await latestOf(api);
    expect((await revert(api, version)).body).toMatchObject({ cause: "revert", version: version + 1 });
    expect((await api.ask("GET /products/1")).body).toMatchObject({ name: DATA.products[0]?.name, price: 99 });
  });

  test.each([
    ["refuse", 409],
    ["allow", 200],
  ])("of a creation is a removal: with onDelete %s and a reference to the record, %i", async (onDelete, status) => {
    const rules = { products: { "x-references": { company_id: { collection: "companies", onDelete } } } };
    const api = await startApi({ data: DATA, rules });
    const made = await change(api, "POST /companies", { id: 3 });
    await change(api, "PATCH /products/1", { company_id: 3 });
    expect((await revert(api, made)).status).toBe(status);
    expect((await api.ask("GET /companies/3")).status).toBe(status === 200 ? 404 : 200);
    await change(api, "PATCH /products/1", { company_id: 1 });
    expect((await revert(api, made)).status).toBe(200);
    expect((await api.ask("GET /companies/3")).status).toBe(404);
  });

  test("does nothing where the records are as they were", async () => {
    const api = await startApi({ data: DATA });
    const version = await change(api, "PATCH /products/1", { price: 50 });
    await change(api, "PATCH /products/1", { price: 5 });
    expect((await revert(api, version)).body).toMatchObject({ unchanged: true, version: version + 1 });
    expect((await latestOf(api)).version).toBe(version + 1);
  });

  test("is refused where a record has changed again, with all three states", async () => {
    const api = await startApi({ data: DATA });
    const version = await change(api, "PATCH /products?company_id=1", { price: 50 });
    await change(api, "PATCH /products/1", { name: "Top hat" });
    const before = await dbOf(api);
    const refused = await revert(api, version);
    expect([refused.status, codeOf(refused)]).toEqual([409, "REVERT_CONFLICT"]);
    expect(refused.body).toMatchObject({
      total: 1,
      conflicts: [
        {
          collection: "products",
          id: 1,
          base: { id: 1, name: "Hat", price: 50, company_id: 1 },
          // biome-ignore lint/suspicious/noThenProperty: the response has it.
          then: { id: 1, name: "Hat", price: 5, company_id: 1 },
          now: { id: 1, name: "Top hat", price: 50, company_id: 1 },
        },
      ],
    });
    expect(await dbOf(api)).toBe(before);
  });

  test("with fields keeps later changes of other fields, and is refused where a field changed again", async () => {
    const api = await startApi({ data: DATA });
    const version = await change(api, "PATCH /products/1", { price: 50, tag: "new" });
    await change(api, "PATCH /products/1", { name: "Top hat" });
    expect((await revert(api, version, { fields: true })).status).toBe(200);
    expect((await api.ask("GET /products/1")).body).toEqual({ id: 1, name: "Top hat", price: 5, company_id: 1 });
    const other = await change(api, "PATCH /products/2", { price: 50 });
    await change(api, "PATCH /products/2", { price: 60 });
    expect(codeOf(await revert(api, other, { fields: true }))).toBe("REVERT_CONFLICT");
  });

  test("does not remove a record that was changed since, nor bring one back whose id is taken", async () => {
    const api = await startApi({ data: DATA });
    const made = await change(api, "POST /products", { id: 9, name: "Sock" });
    await change(api, "PATCH /products/9", { name: "Other sock" });
    expect(codeOf(await revert(api, made, { fields: true }))).toBe("REVERT_CONFLICT");
    const gone = await change(api, "DELETE /products/2");
    await change(api, "POST /products", { id: 2, name: "Newcomer" });
    expect(codeOf(await revert(api, gone))).toBe("REVERT_CONFLICT");
  });

  test("leaves updated_at as it was, too", async () => {
    const api = await startApi({ data: DATA, collections: { products: { timestamps: true } } });
    await change(api, "PATCH /products/1", { price: 8 });
    const before = await dbOf(api);
    const version = await change(api, "PATCH /products/1", { price: 9 });
    await revert(api, version);
    expect(await dbOf(api)).toBe(before);
  });

  test("is judged by the rules: references, and schemas as they are now", async () => {
    const rules = {
      products: {
        properties: { price: { maximum: 40 } },
        "x-references": { company_id: { collection: "companies", onDelete: "refuse" } },
      },
    };
    const api = await startApi({ data: DATA, rules });
    const made = await change(api, "POST /companies", { id: 3 });
    await change(api, "PATCH /products/1", { company_id: 3 });
    const before = await dbOf(api);
    const refused = await revert(api, made);
    expect([refused.status, codeOf(refused)]).toEqual([409, "RECORD_REFERENCED"]);
    expect(await dbOf(api)).toBe(before);
  });

  test("brings records and those they refer to back in any order", async () => {
    const reference = { collection: "companies", onDelete: "refuse" };
    const rules = { products: { "x-references": { company_id: reference } } };
    const api = await startApi({ data: DATA, rules });
    const before = await dbOf(api);
    const version = await change(api, "DELETE /companies/1?_dependent=products");
    expect((await revert(api, version)).status).toBe(200);
    expect(await dbOf(api)).toBe(before);
  });

  test("of one record alone leaves the others of that version", async () => {
    const api = await startApi({ data: DATA });
    const version = await change(api, "DELETE /products?id:in=1,2");
    expect((await revert(api, version, { collection: "products", id: 2 })).status).toBe(200);
    expect(idsOf(await api.ask("GET /products"))).toEqual([2, 3]);
    expect((await revert(api, version, { collection: "products", id: 9 })).body).toMatchObject({ unchanged: true });
    const reset = await change(api, "POST /__reset");
    expect((await revert(api, reset, { collection: "products", id: "1" })).status).toBe(200);
    expect(idsOf(await api.ask("GET /products"))).toEqual([2, 3]);
    expect(codeOf(await revert(api, version, { id: 2 }))).toBe("HISTORY_INVALID");
  });

  test("with Prefer: tx=rollback changes nothing", async () => {
    const api = await startApi({ data: DATA });
    const version = await change(api, "DELETE /products/1");
    const before = await dbOf(api);
    const trial = await api.ask(`POST /__history/${version}/revert`, { headers: { Prefer: "tx=rollback" } });
    expect([trial.status, trial.headers.get("preference-applied")]).toEqual([200, "tx=rollback"]);
    expect(trial.body).toMatchObject({ version: version + 1, cause: "revert", summary: "products: 1 created" });
    expect(await dbOf(api)).toBe(before);
    expect((await latestOf(api)).version).toBe(version);
  });

  test.each([{ fields: 1 }, { field: true }, []])("the body %j is refused", async (body) => {
    const api = await startApi({ data: DATA });
    const version = await change(api, "DELETE /products/1");
    expect((await revert(api, version, body)).status).toBe(400);
  });

  test("puts a record back before a new one that has the id of the record once before it", async () => {
    const api = await startApi({ data: { products: [{ id: 1 }, { id: 2 }, { id: 3 }] } });
    const version = await change(api, "DELETE /products/3");
    await change(api, "DELETE /products/2");
    await change(api, "POST /products", { id: 2, name: "new" });
    expect((await revert(api, version)).status).toBe(200);
    expect(idsOf(await api.ask("GET /products"))).toEqual([1, 3, 2]);
  });

  test("finds a place between others for a record whose own is taken, and every query sees it there", async () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ id: at + 1, price: at % 5, name: `p${at}` }));
    const api = await startApi({ data: { products: many } });
    const version = await change(api, "DELETE /products/1");
    // Other data has other places.
    await api.ask("POST /__snapshots__", { body: { name: "without" } });
    await change(api, "PUT /__snapshots__/without");
    expect((await revert(api, version)).status).toBe(200);
    for (const tag of ["a", "b", "c"]) {
      const written = await api.ask("PATCH /products?price_lt=3", { body: { tag } });
      expect(written.body).toMatchObject({ count: 36 });
    }
    for (const sort of ["", "&_sort=price", "&_sort=-price"]) {
      const seen: unknown[] = [];
      let path = `/products?_limit=1&_after=${sort}`;
      while (path !== "") {
        const page = await api.ask(`GET ${path}`);
        seen.push(...idsOf(page));
        const next = /<[^>]*(\/products[^>]*)>; rel="next"/.exec(page.headers.get("link") ?? "");
        path = next?.[1] ?? "";
      }
      expect(
        seen.toSorted((a, b) => Number(a) - Number(b)),
        sort,
      ).toEqual(many.map(({ id }) => id));
    }
  });

  testAtLength("takes a change of 20,000 records back", async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => ({ id: at + 1, name: `p${at}`, price: at }));
    const api = await startApi({ data: { products: many } });
    const before = await dbOf(api);
    const version = await change(api, "PATCH /products?_all=true", { price: 0, sale: true });
    expect(((await revert(api, version)).body as HistoryVersion).summary).toBe("products: 20000 updated");
    expect(await dbOf(api)).toBe(before);
    const gone = await change(api, "DELETE /products?id_gte=10");
    await revert(api, gone);
    expect(await dbOf(api)).toBe(before);
  });
});

describe("restore", () => {
  test("makes everything what it was, as a new version that can be reverted", async () => {
    const api = await startApi({ data: DATA });
    const version = await change(api, "PATCH /products/1", { price: 50 });
    const then = await dbOf(api);
    await change(api, "DELETE /__collections/companies");
    await change(api, "POST /products", [{ name: "a" }, { name: "b" }]);
    const now = await dbOf(api);
    const restored = await api.ask("POST /__history/restore", { body: { at: version } });
    expect([restored.status, (restored.body as HistoryVersion).cause]).toEqual([200, "restore"]);
    expect(await dbOf(api)).toBe(then);
    await revert(api, (restored.body as HistoryVersion).version);
    expect(await dbOf(api)).toBe(now);
  });

  test("is judged by the rules: the records that it changes, with all others", async () => {
    const rules = { products: { properties: { price: { maximum: 6 } }, "x-unique": ["name"] } };
    const api = await startApi({ data: DATA, rules });
    const first = await change(api, "PATCH /products/3", { price: 1 });
    const second = await change(api, "POST /products", { name: "Sock" });
    const before = await dbOf(api);
    const refused = await api.ask("POST /__history/restore", { body: { at: first - 1 } });
    expect([refused.status, codeOf(refused)]).toEqual([422, "RECORD_INVALID"]);
    expect([await dbOf(api), (await latestOf(api)).version]).toEqual([before, second]);
    expect((await api.ask("POST /__history/restore", { body: { at: first } })).status).toBe(200);
    const gone = await change(api, "DELETE /__collections/products");
    await change(api, "POST /__collections", { name: "products" });
    await change(api, "POST /products", { id: 9, name: "Hat" });
    const now = await dbOf(api);
    const merged = await revert(api, gone);
    expect([merged.status, codeOf(merged)]).toEqual([422, "RECORD_INVALID"]);
    expect(await dbOf(api)).toBe(now);
    await change(api, "PATCH /products/9", { name: "Belt" });
    expect((await revert(api, gone)).status).toBe(200);
    expect(idsOf(await api.ask("GET /products"))).toEqual([1, 2, 3, 9]);
  });

  test("takes a time as well", async () => {
    let now = Date.parse("2030-01-01T10:00:00Z");
    const api = await startApi({ data: DATA, clock: () => now });
    const then = await dbOf(api);
    now += 60_000;
    await change(api, "DELETE /products?_all=true");
    expect((await api.ask("POST /__history/restore", { body: { at: "2030-01-01T10:00:30Z" } })).status).toBe(200);
    expect(await dbOf(api)).toBe(then);
  });
});

describe("the history itself", () => {
  test("is not cleared by a Request, whose origin nobody knows, unless there is no guard", async () => {
    for (const [guard, status] of [
      [true, 403],
      [false, 204],
    ] as const) {
      const api = await createFetch({ data: DATA, guard });
      const answer = await api.fetch(new Request("http://localhost/__history", { method: "DELETE" }));
      expect([guard, answer.status]).toEqual([guard, status]);
      await api.close();
    }
  });

  test("is cleared from this machine only", async () => {
    const api = await startApi({ data: DATA, trustProxy: true });
    const version = await change(api, "DELETE /products/1");
    const far = await api.ask("DELETE /__history", { headers: { "X-Forwarded-For": "203.0.113.9" } });
    expect([far.status, codeOf(far)]).toEqual([403, "HISTORY_LOCAL_ONLY"]);
    expect((await api.ask("DELETE /__history")).status).toBe(204);
    expect(versionsOf(await api.ask("GET /__history"))).toEqual([]);
    const gone = await api.ask(`GET /products?_at=${version - 1}`);
    expect([gone.status, codeOf(gone), (gone.body as { oldest: number }).oldest]).toEqual([
      410,
      "HISTORY_GONE",
      version,
    ]);
  });

  test("is off with the option, and no request is served from the present instead", async () => {
    const api = await startApi({ data: DATA, history: "off" });
    for (const line of ["GET /__history", "GET /products?_at=1", "GET /__at/1/products", "POST /__history/1/revert"]) {
      const answer = await api.ask(line);
      expect([answer.status, codeOf(answer)], line).toEqual([404, "HISTORY_OFF"]);
    }
  });

  test("keeps the number of changes that the option says", async () => {
    const api = await startApi({ data: DATA, history: 3 });
    for (let price = 0; price < 5; price++) await change(api, "PATCH /products/1", { price: 100 + price });
    const { versions, oldest, latest } = pageOf(await api.ask("GET /__history"));
    expect([versions.length, latest - (oldest ?? 0)]).toEqual([3, 3]);
  });

  test("refuses changes on a read-only server, and shows itself all the same", async () => {
    const api = await startApi({ data: DATA, readOnly: true });
    expect((await api.ask("GET /__history")).status).toBe(200);
    expect(codeOf(await api.ask("POST /__history/1/revert"))).toBe("READ_ONLY");
  });

  test("is told in the overview", async () => {
    const api = await startApi({ data: DATA });
    const version = await change(api, "DELETE /products/1");
    expect((await api.ask("GET /__overview")).body).toMatchObject({
      history: { oldest: version - 1, latest: version },
    });
  });

  test("a sandbox has its own", async () => {
    const api = await startApi({ data: DATA });
    await change(api, "DELETE /products/1");
    await api.ask("PATCH /__sandbox/bob/products/2", { body: { price: 1 } });
    const { versions } = pageOf(await api.ask("GET /__sandbox/bob/__history"));
    expect(versions.map(({ summary }) => summary)).toEqual(["products: 1 updated"]);
    expect(versionsOf(await api.ask("GET /__history"))).toEqual(["products: 1 removed"]);
    expect((await api.ask(`POST /__sandbox/bob/__history/${versions[0]?.version}/revert`)).status).toBe(200);
    expect((await api.ask("GET /__sandbox/bob/products/2")).body).toMatchObject({ price: 6 });
  });
});
