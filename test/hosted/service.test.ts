import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, codeOf } from "../support/api.ts";
import { createFolder, type Served } from "../support/cli.ts";
import { serveHosted, startHosted } from "../support/hosted.ts";
import { runKept } from "../support/kept-process.ts";

const KEY = "PMAK-664f878cdb04f90001b15727-af8efcc4531b580d4fc7dcc1d00b186a01";

/** service.md, "What the service does", point 7, and Authentication D, sentence by sentence. */
describe("a hosted mock responds with fixed examples", () => {
  for (const path of ["/products", "/companies"]) {
    test(`GET ${path}`, async () => {
      const api = await startHosted();
      const first = await api.ask(`GET ${path}`);
      expect(first.status).toBe(200);
      expect(first.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect((first.body as unknown[]).length).toBeGreaterThan(1);
      expect((await api.ask(`GET ${path}`)).text).toBe(first.text);
    });

    for (const id of ["1", "2", "77", "abc"]) {
      test(`GET ${path}/${id}`, async () => {
        const api = await startHosted();
        const first = await api.ask(`GET ${path}/${id}`);
        expect(first.status).toBe(200);
        expect((first.body as { id: unknown }).id).toBe(/^\d+$/.test(id) ? Number(id) : id);
        expect((await api.ask(`GET ${path}/${id}`)).text).toBe(first.text);
      });
    }
  }

  test("products and companies have the fields of service.md", async () => {
    const api = await startHosted();
    const product = {
      id: expect.any(Number),
      name: expect.any(String),
      price: expect.any(Number),
      company_id: expect.any(Number),
    };
    const company = {
      id: expect.any(Number),
      name: expect.any(String),
      revenue: expect.any(Number),
      headquarter: { lat: expect.any(Number), lon: expect.any(Number) },
      locations: expect.arrayContaining([
        { city: expect.any(String), employee_number: expect.any(Number), state: expect.any(String) },
      ]),
    };
    for (const one of (await api.ask("GET /products")).body as unknown[]) expect(one).toEqual(product);
    for (const one of (await api.ask("GET /companies")).body as unknown[]) expect(one).toEqual(company);
    expect((await api.ask("GET /products/1")).body).toEqual(product);
    expect((await api.ask("GET /companies/1")).body).toEqual(company);
  });
});

describe("it also accepts POST, PUT and DELETE on /products", () => {
  const product = { name: "Teapot", price: 12.5, company_id: 1 };
  const cases = [
    ["POST /products", 201],
    ["POST /products/5", 201],
    ["PUT /products", 200],
    ["PUT /products/5", 200],
    ["DELETE /products", 200],
    ["DELETE /products/5", 200],
  ] as const;
  for (const [line, status] of cases) {
    test(`${line} -> ${status}`, async () => {
      const api = await startHosted();
      const answer = await api.ask(line, line.startsWith("DELETE") ? {} : { body: product });
      expect(answer.status).toBe(status);
      expect(answer.body).toBeTypeOf("object");
    });
  }

  test("but nothing on /companies, which it only reads", async () => {
    const api = await startHosted();
    for (const line of ["POST /companies", "PUT /companies/1", "DELETE /companies/1", "PATCH /products/1"]) {
      expect(codeOf(await api.ask(line, { body: {} })), line).toBe("EXAMPLE_NOT_FOUND");
    }
  });
});

test("objects sent with POST are not actually stored", async () => {
  const api = await startHosted();
  const before = (await api.ask("GET /products")).text;
  for (const line of ["POST /products", "PUT /products/1", "DELETE /products/1"]) {
    await api.ask(line, { body: { id: 1, name: "Stored?", price: 1, company_id: 1 } });
  }
  expect((await api.ask("GET /products")).text).toBe(before);
  expect((await api.ask("GET /products/1")).text).not.toContain("Stored?");
});

test("a product fetched by id may differ from the same id in the list", async () => {
  const api = await startHosted();
  const list = (await api.ask("GET /products")).body as { id: number }[];
  const one = (await api.ask("GET /products/1")).body as { id: number };
  expect(one.id).toBe(1);
  expect(one).not.toEqual(list.find(({ id }) => id === 1));
});

describe("private and public", () => {
  const folder = createFolder();
  let server: Served;
  const asked = async (headers: Record<string, string>, path = "/products", method = "GET"): Promise<Answer> => {
    const response = await fetch(server.url + path, { method, headers });
    const text = await response.text();
    const bytes = Buffer.from(text);
    return {
      status: response.status,
      headers: response.headers,
      text,
      bytes,
      body: text === "" ? undefined : JSON.parse(text),
    };
  };

  describe("a private hosted variant requires the header X-Api-Key with an API key", () => {
    beforeAll(async () => {
      server = await serveHosted(["--private", "--api-key", KEY, "--api-key", "second,key"], folder);
    });
    afterAll(() => server.stop());

    test("without it: 401 API_KEY_MISSING", async () => {
      const answer = await asked({});
      expect([answer.status, codeOf(answer)]).toEqual([401, "API_KEY_MISSING"]);
      expect(answer.body).toMatchObject({ error: expect.any(String), message: expect.stringContaining("X-Api-Key") });
    });
    test("with an empty one, as a client sends that has none: 401 API_KEY_MISSING", async () => {
      expect(codeOf(await asked({ "X-Api-Key": "" }))).toBe("API_KEY_MISSING");
    });
    test("with another one: 403 API_KEY_INVALID", async () => {
      const answer = await asked({ "X-Api-Key": `${KEY}x` });
      expect([answer.status, codeOf(answer)]).toEqual([403, "API_KEY_INVALID"]);
    });
    test("with it: the example, in any case of the header's name", async () => {
      expect((await asked({ "X-Api-Key": KEY })).status).toBe(200);
      expect((await asked({ "x-api-KEY": KEY }, "/companies/3")).status).toBe(200);
    });
    test("every given key is accepted, commas and all", async () => {
      expect((await asked({ "X-Api-Key": "second,key" })).status).toBe(200);
      expect((await asked({ "X-Api-Key": "second" })).status).toBe(403);
    });
    test("every path and method is guarded, also those without an example", async () => {
      for (const path of [
        "/products/1",
        "/nothing",
        "/",
        "/products%2F1",
        "//products",
        "/PRODUCTS",
        "/products/?x=1",
      ]) {
        for (const method of ["GET", "POST", "PUT", "DELETE", "HEAD"]) {
          expect((await fetch(server.url + path, { method })).status, `${method} ${path}`).toBe(401);
        }
      }
    });
    test("a preflight needs no key: browsers cannot send one", async () => {
      expect((await fetch(`${server.url}/products`, { method: "OPTIONS" })).status).toBe(204);
    });
    test("no key is ever logged whole", () => {
      expect(server.output.stdout).toContain("an unknown key was refused; it begins with PMAK-");
      expect(server.output.stdout + server.output.stderr).not.toContain(KEY);
    });
  });

  describe("a public hosted variant needs no key", () => {
    beforeAll(async () => {
      server = await serveHosted([], folder);
    });
    afterAll(() => server.stop());

    test("when the key is left empty in the client, the header is omitted and a public mock responds anyway", async () => {
      expect((await asked({})).status).toBe(200);
    });
    test("a sent key is ignored", async () => {
      expect((await asked({ "X-Api-Key": "whatever" })).status).toBe(200);
    });
  });

  test("--private without a key stops the start", async () => {
    const run = runKept(["hosted", "--private", "--port", "0"], folder);
    expect(await run.exit).toBe(1);
    expect(run.output.stderr).toBe(
      "standin: --private needs a key: add --api-key <key>, or set STANDIN_API_KEY in the environment.\n",
    );
  });

  test("keys come from the environment, too", async () => {
    server = await serveHosted(["--private"], folder, { STANDIN_API_KEY: "one-key, other-key" });
    expect((await asked({})).status).toBe(401);
    expect((await asked({ "X-Api-Key": "other-key" })).status).toBe(200);
    await server.stop();
  });

  test("nothing was written", () => {
    expect(readdirSync(folder)).toEqual([]);
  });
});
