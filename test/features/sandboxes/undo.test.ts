import { describe, expect, test } from "vitest";
import { type Api, type AskOptions, codeOf, startApi } from "../../support/api.ts";

const DATA = {
  products: Array.from({ length: 600 }, (_, at) => ({ id: at + 1, name: `p${at}`, company_id: (at % 3) + 1 })),
  companies: [{ id: 1 }, { id: 2 }, { id: 3 }],
  settings: { theme: "dark" },
};

/** The latest state first: each write is undone by one step. */
const WRITES: readonly (readonly [name: string, line: string, options: AskOptions])[] = [
  ["a new record", "POST /products", { body: { name: "new" } }],
  ["a replaced record", "PUT /products/7", { body: { name: "other" } }],
  ["a removed record", "DELETE /products/1", {}],
  ["a removed record with its dependents", "DELETE /companies/2?_dependent=products", {}],
  ["many removed records", "DELETE /products?company_id=1", {}],
  ["many changed records", "PATCH /products?id_gte=10", { body: { name: "same" } }],
  ["an array of records", "POST /products", { body: Array.from({ length: 300 }, () => ({ name: "one of many" })) }],
  ["a singleton", "PATCH /settings", { body: { theme: "light" } }],
  [
    "a batch",
    "POST /__batch",
    {
      body: {
        requests: [
          { method: "POST", path: "/companies", body: { name: "c" }, as: "co" },
          { method: "PATCH", path: "/companies/{{co.id}}", body: { name: "d" } },
          { method: "PATCH", path: "/settings", body: { theme: "none" } },
          { method: "DELETE", path: "/products/3" },
        ],
      },
    },
  ],
  ["a new collection", "POST /__collections", { body: { name: "orders" } }],
  ["a renamed collection", "PATCH /__collections/companies", { body: { name: "firms" } }],
  ["a removed collection", "DELETE /__collections/companies", {}],
];

async function textOf(api: Api, name: string): Promise<string> {
  return (await api.ask(`GET /__sandbox/${name}/db`)).text;
}

const undo = (api: Api, name: string, count?: number) =>
  api.ask(`POST /__sandboxes/${name}/undo`, { body: count === undefined ? {} : { count } });

describe("undo puts the data of a sandbox back, byte for byte", () => {
  test("each write by itself, and all of them together", async () => {
    const api = await startApi({ data: DATA });
    const birth = (await api.ask("GET /db")).text;
    for (const [name, line, options] of WRITES) {
      const [method, path] = line.split(" ");
      expect((await api.ask(`${method} /__sandbox/one${path}`, options)).status, name).toBeLessThan(300);
      expect(await textOf(api, "one"), name).not.toBe(birth);
      expect((await undo(api, "one")).body, name).toEqual({ undone: [expect.anything()], left: 0 });
      expect(await textOf(api, "one"), name).toBe(birth);
    }
    const texts: string[] = [];
    // A renamed collection cannot be removed by its old name.
    for (const [name, line, options] of WRITES.slice(0, -1)) {
      texts.push(await textOf(api, "all"));
      const [method, path] = line.split(" ");
      expect((await api.ask(`${method} /__sandbox/all${path}`, options)).status, name).toBeLessThan(300);
    }
    for (const [steps, text] of texts.toReversed().entries()) {
      expect((await undo(api, "all")).body).toMatchObject({ left: texts.length - steps - 1 });
      expect(await textOf(api, "all"), `${steps + 1} steps back`).toBe(text);
    }
    expect((await api.ask("GET /db")).text).toBe(birth);
  });

  test("several at once: as many as there are, with their effects, the latest first", async () => {
    const api = await startApi({ data: DATA });
    await api.ask("POST /__sandbox/a/products", { body: { name: "new" } });
    await api.ask("DELETE /__sandbox/a/products/1");
    await api.ask("POST /__sandbox/a/__collections", { body: { name: "orders" } });
    await api.ask("PATCH /__sandbox/b/products/1", { body: { name: "of another" } });
    expect((await undo(api, "a", 5)).body).toEqual({
      undone: [
        { member: { kind: "created", name: "orders", type: "collection" } },
        { changed: { products: { created: 0, updated: 0, removed: 1 } } },
        { changed: { products: { created: 1, updated: 0, removed: 0 } } },
      ],
      left: 0,
    });
    expect((await api.ask("GET /__sandbox/b/products/1")).body).toMatchObject({ name: "of another" });
    // Readers and the next write see data as if nothing had been there.
    expect((await api.ask("GET /__sandbox/a/products?name=new")).body).toEqual([]);
    expect((await api.ask("POST /__sandbox/a/products", { body: {} })).body).toEqual({ id: 601 });
  });

  test("a reset forgets earlier changes; a dry run leaves none", async () => {
    const api = await startApi({ data: DATA });
    await api.ask("POST /__sandboxes", { body: { name: "a" } });
    await api.ask("DELETE /__sandbox/a/products/1", { headers: { Prefer: "tx=rollback" } });
    expect((await undo(api, "a")).body).toEqual({ undone: [], left: 0 });
    await api.ask("DELETE /__sandbox/a/products/1");
    await api.ask("POST /__sandboxes/a/reset");
    expect((await undo(api, "a")).body).toEqual({ undone: [], left: 0 });
  });

  test("an unknown sandbox and a wrong count are refused", async () => {
    const api = await startApi({ data: DATA });
    expect(codeOf(await undo(api, "none"))).toBe("SANDBOX_NOT_FOUND");
    await api.ask("POST /__sandboxes", { body: { name: "a" } });
    for (const count of [0, 1.5, -1, "2"])
      expect(codeOf(await undo(api, "a", count as number))).toBe("SANDBOX_INVALID");
  });
});

test("Prefer: sandbox=existing: a sandbox that is not there is no new one", async () => {
  const api = await startApi({ data: DATA });
  const headers = { "X-Standin-Sandbox": "gone", Prefer: "sandbox=existing" };
  expect(codeOf(await api.ask("GET /products/1", { headers }))).toBe("SANDBOX_NOT_FOUND");
  expect((await api.ask("GET /__sandboxes")).body).toEqual({ sandboxes: [] });
  await api.ask("POST /__sandboxes", { body: { name: "gone" } });
  expect((await api.ask("GET /products/1", { headers })).status).toBe(200);
});
