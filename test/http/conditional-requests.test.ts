import { describe, expect, test } from "vitest";
import { type Api, codeOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";

async function etagOf(api: Api, path: string): Promise<string> {
  return (await api.ask(`GET ${path}`)).headers.get("etag") ?? "none";
}

const start = () => startApi({ data: { ...catalog(), profile: { open: true } } });

describe("ETag", () => {
  const cases: [path: string, kind: "strong" | "weak"][] = [
    ["/products/1", "strong"],
    ["/companies/1", "strong"],
    ["/profile", "strong"],
    ["/companies/1?_embed=products", "weak"],
    ["/products/1?_expand=company", "weak"],
    ["/products", "weak"],
    ["/products?_page=1", "weak"],
    ["/companies/1/products", "weak"],
    ["/db", "weak"],
    ["/stats", "weak"],
  ];
  for (const [path, kind] of cases) {
    test(`GET ${path} -> ${kind}, and the same again`, async () => {
      const api = await start();
      const etag = await etagOf(api, path);
      expect(etag).toMatch(kind === "strong" ? /^"[^"]+"$/ : /^W\/"[^"]+"$/);
      expect(await etagOf(api, path)).toBe(etag);
    });
  }

  test("POST, PUT and PATCH return the tag of the written record", async () => {
    const api = await start();
    for (const [line, path] of [
      ["POST /products", "/products/13"],
      ["PUT /products/1", "/products/1"],
      ["PATCH /products/2", "/products/2"],
      ["PATCH /profile", "/profile"],
    ] as const) {
      const { headers } = await api.ask(line, { body: { name: "x" } });
      expect(headers.get("etag"), line).toBe(await etagOf(api, path));
    }
  });

  const changes: [path: string, write: string, changes: boolean][] = [
    ["/products/1", "PATCH /products/1", true],
    ["/products/1", "PATCH /products/2", false],
    ["/products", "PATCH /products/2", true],
    ["/products", "POST /products", true],
    ["/products", "DELETE /products/2", true],
    ["/products", "PATCH /companies/1", false],
    ["/products?company_id=1", "PATCH /products/2", true],
    ["/companies/1?_embed=products", "PATCH /products/1", true],
    ["/companies/1?_embed=products", "PATCH /companies/1", true],
    ["/companies?_embed=products", "PATCH /products/1", true],
    ["/products/1?_expand=company", "PATCH /companies/1", true],
    ["/products?_expand=company", "PATCH /companies/1", true],
    ["/companies/1/products", "PATCH /products/1", true],
    ["/db", "PATCH /profile", true],
    ["/stats", "POST /products", true],
    ["/profile", "PATCH /profile", true],
    ["/profile", "PATCH /products/1", false],
    // Refused writes change nothing.
    ["/products", "PATCH /products/99", false],
  ];
  for (const [path, write, isChanged] of changes) {
    test(`of GET ${path} ${isChanged ? "changes with" : "stays after"} ${write}`, async () => {
      const api = await start();
      const before = await etagOf(api, path);
      await api.ask(write, write.startsWith("DELETE") ? {} : { body: { name: "x" } });
      expect((await etagOf(api, path)) !== before).toBe(isChanged);
    });
  }

  test("writing a value back does not bring the old tag back", async () => {
    const api = await start();
    const before = await etagOf(api, "/products/1");
    await api.ask("PATCH /products/1", { body: { price: 1 } });
    await api.ask("PATCH /products/1", { body: { price: 10 } });
    expect(await etagOf(api, "/products/1")).not.toBe(before);
  });

  test("a record created after another was removed does not get its tag", async () => {
    const api = await start();
    await api.ask("POST /products", { body: {} });
    const before = await etagOf(api, "/products/13");
    await api.ask("DELETE /products/13");
    await api.ask("POST /products", { body: {} });
    expect(await etagOf(api, "/products/13")).not.toBe(before);
  });

  test("none outlives its server: another load of the same data has others", async () => {
    const [first, second] = [await start(), await start()];
    for (const path of ["/products/1", "/products", "/db", "/profile"]) {
      expect(await etagOf(first, path), path).not.toBe(await etagOf(second, path));
    }
  });
});

describe("If-None-Match", () => {
  for (const path of [
    "/products/1",
    "/products",
    "/products?_page=1",
    "/companies/1?_embed=products",
    "/db",
    "/__rules",
    "/stats",
    "/profile",
  ]) {
    test(`GET ${path} with its tag -> 304 without a body, with the tag`, async () => {
      const api = await start();
      const etag = await etagOf(api, path);
      const { status, text, headers } = await api.ask(`GET ${path}`, { headers: { "If-None-Match": etag } });
      expect([status, text, headers.get("etag")]).toEqual([304, "", etag]);
    });
  }

  const headers: [given: (etag: string) => string, status: number][] = [
    [(etag) => `"other", ${etag}`, 304],
    [(etag) => `W/${etag}`, 304],
    [() => "*", 304],
    [() => '"other"', 200],
    [(etag) => etag.replaceAll('"', ""), 200],
    [() => "", 200],
  ];
  for (const [given, status] of headers) {
    test(`GET /products/1 with If-None-Match: ${given('"<tag>"')} -> ${status}`, async () => {
      const api = await start();
      const etag = await etagOf(api, "/products/1");
      const answer = await api.ask("GET /products/1", { headers: { "If-None-Match": given(etag) } });
      expect(answer.status).toBe(status);
    });
  }

  test("HEAD -> 304, too", async () => {
    const api = await start();
    const etag = await etagOf(api, "/products/1");
    expect((await api.ask("HEAD /products/1", { headers: { "If-None-Match": etag } })).status).toBe(304);
  });

  test("after a change -> 200 with the new record", async () => {
    const api = await start();
    const etag = await etagOf(api, "/products/1");
    await api.ask("PATCH /products/1", { body: { price: 1 } });
    const { status, body } = await api.ask("GET /products/1", { headers: { "If-None-Match": etag } });
    expect([status, body]).toEqual([200, { ...catalog().products[0], price: 1 }]);
  });

  test("Cache-Control: no-cache asks again all the same -> 200", async () => {
    const api = await start();
    const etag = await etagOf(api, "/products/1");
    const answer = await api.ask("GET /products/1", {
      headers: { "If-None-Match": etag, "Cache-Control": "no-cache" },
    });
    expect(answer.status).toBe(200);
  });

  test("an unknown record -> 404, whatever the tag", async () => {
    const api = await start();
    expect((await api.ask("GET /products/99", { headers: { "If-None-Match": "*" } })).status).toBe(404);
  });
});

describe("If-Match", () => {
  const WRITES = ["PUT /products/1", "PATCH /products/1", "DELETE /products/1", "PUT /profile", "PATCH /profile"];

  for (const write of WRITES) {
    const path = write.split(" ")[1]!;
    const body = write.startsWith("DELETE") ? undefined : { name: "x" };

    test(`${write} with the current tag -> 200; with the same again -> 412 RECORD_CHANGED or 404`, async () => {
      const api = await start();
      const headers = { "If-Match": await etagOf(api, path) };
      expect((await api.ask(write, { body, headers })).status).toBe(200);
      const again = await api.ask(write, { body, headers });
      if (write.startsWith("DELETE")) expect(again.status).toBe(404);
      else expect([again.status, codeOf(again)]).toEqual([412, "RECORD_CHANGED"]);
    });

    test(`${write} with an outdated tag -> 412 RECORD_CHANGED, nothing changed, ETag of what is there`, async () => {
      const api = await start();
      const outdated = await etagOf(api, path);
      await api.ask(`PATCH ${path}`, { body: { open: false } });
      const before = await api.ask(`GET ${path}`);
      const answer = await api.ask(write, { body, headers: { "If-Match": outdated } });
      expect([answer.status, codeOf(answer)]).toEqual([412, "RECORD_CHANGED"]);
      expect(answer.headers.get("etag")).toBe(before.headers.get("etag"));
      expect((await api.ask(`GET ${path}`)).body).toEqual(before.body);
    });

    test(`${write} with * -> 200: any record will do`, async () => {
      const api = await start();
      expect((await api.ask(write, { body, headers: { "If-Match": "*" } })).status).toBe(200);
    });

    test(`${write} with a list that holds the tag -> 200`, async () => {
      const api = await start();
      const header = `"a", ${await etagOf(api, path)},"b"`;
      expect((await api.ask(write, { body, headers: { "If-Match": header } })).status).toBe(200);
    });

    for (const header of ['"other"', 'W/"other"', "nonsense", ""]) {
      test(`${write} with If-Match: ${header || "(empty)"} -> 412`, async () => {
        const api = await start();
        expect((await api.ask(write, { body, headers: { "If-Match": header } })).status).toBe(412);
      });
    }

    test(`${write} with its tag made weak -> 412: the comparison is strong`, async () => {
      const api = await start();
      const header = `W/${await etagOf(api, path)}`;
      expect((await api.ask(write, { body, headers: { "If-Match": header } })).status).toBe(412);
    });
  }

  test("an unknown record -> 404, whatever the tag", async () => {
    const api = await start();
    for (const header of ["*", '"other"']) {
      expect((await api.ask("PUT /products/99", { body: {}, headers: { "If-Match": header } })).status).toBe(404);
    }
  });

  test("of two clients with the same version, one writes and the other gets an error", async () => {
    const api = await start();
    const headers = { "If-Match": await etagOf(api, "/products/1") };
    const answers = await Promise.all(
      ["a", "b"].map((name) => api.ask("PATCH /products/1", { body: { name }, headers })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });
});
