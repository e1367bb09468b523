import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin } from "../../src/index.ts";
import { idsOf, startApi } from "../support/api.ts";

const LARGEST = Number.MAX_SAFE_INTEGER;

describe("a new id", () => {
  const cases: [ids: unknown[], created: unknown][] = [
    [[], 1],
    [[1], 2],
    [[7, 3], 8],
    [[-3], -2],
    // 0 counts as absent in a body, so it is not given away either.
    [[-1], 1],
    [[2.5], 1],
    [[2.5, 2], 3],
    [[7.5, 2], 3],
    [[1, "abc"], 2],
    [["abc", 1], 2],
    // As text 2 is taken, whatever its type.
    [[1, "2"], 3],
    [[1, "2", "3", "5"], 4],
    [[null, 4], 5],
    [[null, null], 1],
  ];
  for (const [ids, created] of cases) {
    test(`beside the ids ${JSON.stringify(ids)} is ${JSON.stringify(created)}`, async () => {
      const api = await startApi({ data: { products: ids.map((id) => ({ id }) as JsonObject) } });
      expect((await api.ask("POST /products", { body: {} })).body).toEqual({ id: created });
    });
  }

  test("is a short random text where the ids are text, another one each time", async () => {
    const api = await startApi({ data: { products: [{ id: "a" }, { id: "7" }] } });
    const created = await Promise.all([1, 2, 3].map(() => api.ask("POST /products", { body: {} })));
    const ids = created.map(({ body }) => (body as { id: string }).id);
    for (const id of ids) expect(id).toMatch(/^\w{5,12}$/);
    expect(new Set(ids).size).toBe(3);
  });

  test("reuses the largest id once its record is gone", async () => {
    const api = await startApi({ data: { products: [{ id: 1 }, { id: 2 }] } });
    await api.ask("DELETE /products/2");
    expect((await api.ask("POST /products", { body: {} })).body).toEqual({ id: 2 });
  });

  test("finds the next largest after several records are gone, however far below it is", async () => {
    const api = await startApi({ data: { products: [{ id: 3 }, { id: 50_000 }, { id: 50_001 }] } });
    await api.ask("DELETE /products/50001");
    await api.ask("DELETE /products/50000");
    expect((await api.ask("POST /products", { body: {} })).body).toEqual({ id: 4 });
  });

  test(`above ${LARGEST} there is none, so it is a text, and POST keeps working`, async () => {
    const api = await startApi({ data: { products: [{ id: LARGEST }] } });
    const { status, body } = await api.ask("POST /products", { body: {} });
    expect(status).toBe(201);
    expect((body as { id: unknown }).id).toMatch(/^\w+$/);
    expect((await api.ask("POST /products", { body: {} })).status).toBe(201);
  });
});

describe("an id that the body brings along", () => {
  const taken: [id: string, path: string][] = [
    ["7", "/products/7"],
    ['"x"', "/products/x"],
    ['"two words/ä"', "/products/two%20words%2F%C3%A4"],
    ["-4", "/products/-4"],
    ["2.5", "/products/2.5"],
    [String(LARGEST), `/products/${LARGEST}`],
    [`"${LARGEST}0"`, `/products/${LARGEST}0`],
  ];
  for (const [id, path] of taken) {
    test(`POST {"id":${id}} -> 201, found at ${path}`, async () => {
      const api = await startApi({ data: { products: [] } });
      const { status, text, headers } = await api.ask("POST /products", { body: `{"id":${id}}` });
      expect([status, text]).toEqual([201, `{"id":${id}}`]);
      expect(headers.get("location")).toBe(`${api.url}${path}`);
      expect((await api.ask(`GET ${path}`)).text).toBe(`{"id":${id}}`);
    });
  }

  for (const id of ["0", "null", '""', "-0"]) {
    test(`POST {"id":${id}} -> 201 with a new id: it counts as absent`, async () => {
      const api = await startApi({ data: { products: [{ id: 4 }] } });
      expect((await api.ask("POST /products", { body: `{"id":${id},"a":1}` })).text).toBe('{"id":5,"a":1}');
    });
  }

  const invalid = ["true", "false", "{}", "[]", "[1]", '{"a":1}', String(LARGEST + 1), `-${LARGEST + 1}`, "1e20"];
  // Half of a surrogate pair: no address could ever name it.
  invalid.push('"\\ud800"', '"a\\udc00b"');
  for (const id of invalid) {
    for (const line of ["POST /products", "PUT /products/1", "PATCH /products/1"]) {
      test(`${line} {"id":${id}} -> 400 ID_INVALID`, async () => {
        const api = await startApi({ data: { products: [{ id: 1 }] } });
        const { status, body } = await api.ask(line, { body: `{"id":${id}}` });
        expect([status, (body as { code: string }).code]).toEqual([400, "ID_INVALID"]);
        expect((await api.ask("GET /db")).text).toBe('{"products":[{"id":1}]}');
      });
    }
  }

  for (const id of ["1", '"1"', '"x"']) {
    test(`POST {"id":${id}} where that is taken -> 409 ID_TAKEN, nothing changed`, async () => {
      const api = await startApi({ data: { products: [{ id: 1 }, { id: "x" }] } });
      const { status, body } = await api.ask("POST /products", { body: `{"id":${id},"name":"Hat"}` });
      expect(status).toBe(409);
      expect(body).toMatchObject({ code: "ID_TAKEN", message: expect.stringContaining("PUT /products/") });
      expect(idsOf(await api.ask("GET /products"))).toEqual([1, "x"]);
    });
  }
});

describe("the id in a path is compared as text", () => {
  const cases: [path: string, found: number | string | undefined][] = [
    ["1", 1],
    ["%31", 1],
    ["01", undefined],
    ["1.0", undefined],
    ["1e0", undefined],
    ["+1", undefined],
    ["%201", undefined],
    ["2", "2"],
    ["2.5", 2.5],
    ["x", "x"],
    ["X", undefined],
    ["a%2Fb", "a/b"],
    ["%C3%A4", "ä"],
    ["null", undefined],
    ["undefined", undefined],
    ["__proto__", undefined],
    ["constructor", undefined],
    ["NaN", undefined],
  ];
  for (const [path, found] of cases) {
    test(`GET /products/${path} -> ${found === undefined ? "404" : JSON.stringify(found)}`, async () => {
      const ids = [1, "2", 2.5, "x", "a/b", "ä"];
      const api = await startApi({ data: { products: ids.map((id) => ({ id })) } });
      const { status, body } = await api.ask(`GET /products/${path}`);
      if (found === undefined) expect([status, (body as { code: string }).code]).toEqual([404, "RECORD_NOT_FOUND"]);
      else expect([status, body]).toEqual([200, { id: found }]);
    });
  }
});

describe("data that cannot be served stop the start, and are named", () => {
  const cases: [data: unknown, reason: RegExp][] = [
    [[], /must be an object.*an array/],
    [null, /must be an object.*null/],
    [{ products: 5 }, /"products" must be an array.*a number/],
    [{ products: null }, /"products" must be an array.*null/],
    [{ "\ud800": [] }, /"\\ud800" contains half of a surrogate pair/],
  ];
  for (const [data, reason] of cases) {
    test(JSON.stringify(data), async () => {
      const failure = await createStandin({ data: data as JsonObject }).catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ name: "StartError", message: expect.stringMatching(reason) });
    });
  }
});

describe("records that cannot be addressed", () => {
  test("a record without an id is listed, and no path leads to it", async () => {
    const api = await startApi({ data: { products: [{ name: "nameless" }, { id: null }, { id: "" }, 5, { id: 1 }] } });
    expect((await api.ask("GET /products")).body).toEqual([
      { name: "nameless" },
      { id: null },
      { id: "" },
      5,
      { id: 1 },
    ]);
    for (const path of ["undefined", "null", "5", "/"]) {
      expect((await api.ask(`GET /products/${path}`)).status, path).toBe(404);
    }
  });

  test("of duplicate ids the first is addressed; with it gone, the next", async () => {
    const api = await startApi({
      data: { products: [{ id: 1, n: "a" }, { id: "1", n: "b" }, { id: 2 }, { id: 1, n: "c" }] },
    });
    expect((await api.ask("GET /products/1")).body).toEqual({ id: 1, n: "a" });
    await api.ask("DELETE /products/1");
    expect((await api.ask("GET /products/1")).body).toEqual({ id: "1", n: "b" });
    await api.ask("PATCH /products/1", { body: { n: "B" } });
    expect((await api.ask("GET /products")).body).toEqual([{ id: "1", n: "B" }, { id: 2 }, { id: 1, n: "c" }]);
    await api.ask("DELETE /products/1");
    expect((await api.ask("GET /products/1")).body).toEqual({ id: 1, n: "c" });
    await api.ask("DELETE /products/1");
    expect((await api.ask("GET /products/1")).status).toBe(404);
  });
});

describe("--id names the key everywhere", () => {
  const start = () =>
    startApi({
      id: "key",
      data: {
        companies: [{ key: "acme", id: 99 }],
        products: [{ key: 1, id: "own", company_id: "acme" }],
      },
    });

  const cases: [line: string, body: unknown][] = [
    ["GET /products/1", { key: 1, id: "own", company_id: "acme" }],
    [
      "GET /companies/acme?_embed=products",
      { key: "acme", id: 99, products: [{ key: 1, id: "own", company_id: "acme" }] },
    ],
    ["GET /products/1?_expand=company", { key: 1, id: "own", company_id: "acme", company: { key: "acme", id: 99 } }],
    ["GET /companies/acme/products", [{ key: 1, id: "own", company_id: "acme" }]],
    ["GET /products?id=own", [{ key: 1, id: "own", company_id: "acme" }]],
    ["GET /products?key=1", [{ key: 1, id: "own", company_id: "acme" }]],
  ];
  for (const [line, body] of cases) {
    test(`${line} -> ${JSON.stringify(body)}`, async () => {
      const api = await start();
      expect((await api.ask(line)).body).toEqual(body);
    });
  }

  for (const id of ["own", "99"]) {
    test(`GET /products/${id} -> 404: "id" is a field like any other`, async () => {
      const api = await start();
      expect((await api.ask(`GET /products/${id}`)).status).toBe(404);
    });
  }

  test("POST /companies/acme/products -> 201 with the next key, and Location by it", async () => {
    const api = await start();
    const { status, body, headers } = await api.ask("POST /companies/acme/products", { body: { id: "mine" } });
    expect([status, body]).toEqual([201, { id: "mine", company_id: "acme", key: 2 }]);
    expect(headers.get("location")).toBe(`${api.url}/products/2`);
  });

  test("PUT and PATCH keep the key, and take the id field as data", async () => {
    const api = await start();
    expect((await api.ask("PUT /products/1", { body: { key: 9, id: 5 } })).body).toEqual({ key: 1, id: 5 });
    expect((await api.ask("PATCH /products/1", { body: { key: 9, id: true } })).body).toEqual({ key: 1, id: true });
  });

  test("a taken key -> 409, an invalid one -> 400, both named by it", async () => {
    const api = await start();
    const taken = await api.ask("POST /products", { body: { key: 1 } });
    expect([taken.status, taken.body]).toEqual([
      409,
      expect.objectContaining({ message: expect.stringContaining("key 1") }),
    ]);
    const invalid = await api.ask("POST /products", { body: { key: [] } });
    expect([invalid.status, invalid.body]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining('"key"') }),
    ]);
  });

  test("DELETE with _dependent finds the children by it", async () => {
    const api = await start();
    await api.ask("DELETE /companies/acme?_dependent=products");
    expect((await api.ask("GET /db")).body).toEqual({ companies: [], products: [] });
  });
});

describe("fields", () => {
  test("their order is kept: the id stands where the body has it, else last", async () => {
    const api = await startApi({ data: { products: [] } });
    expect((await api.ask("POST /products", { body: '{"z":1,"a":{"y":1,"b":2}}' })).text).toBe(
      '{"z":1,"a":{"y":1,"b":2},"id":1}',
    );
    expect((await api.ask("POST /products", { body: '{"z":1,"id":9,"a":1}' })).text).toBe('{"z":1,"id":9,"a":1}');
    expect((await api.ask("PUT /products/9", { body: '{"a":1,"id":1,"z":2}' })).text).toBe('{"a":1,"id":9,"z":2}');
    expect((await api.ask("PUT /products/9", { body: '{"b":1,"a":2}' })).text).toBe('{"b":1,"a":2,"id":9}');
    expect((await api.ask("PATCH /products/9", { body: '{"c":1,"a":3}' })).text).toBe('{"b":1,"a":3,"id":9,"c":1}');
  });

  test("numbers keep their JSON meaning", async () => {
    const api = await startApi({ data: { products: [] } });
    const body = '{"a":1.50,"b":1e3,"c":-0.1,"d":12345678901,"e":1E-7}';
    expect((await api.ask("POST /products", { body })).body).toEqual({
      a: 1.5,
      b: 1000,
      c: -0.1,
      d: 12345678901,
      e: 0.0000001,
      id: 1,
    });
  });

  const forbidden = [
    '{"__proto__":{"admin":true}}',
    '{"a":{"__proto__":1}}',
    '{"a":[{"b":[{"__proto__":null}]}]}',
    '{"\\u005f_proto__":1}',
  ];
  for (const line of ["POST /products", "PUT /products/1", "PATCH /products/1", "PATCH /profile"]) {
    for (const body of forbidden) {
      test(`${line} ${body} -> 400 KEY_FORBIDDEN`, async () => {
        const api = await startApi({ data: { products: [{ id: 1 }], profile: {} } });
        const answer = await api.ask(line, { body });
        expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: "KEY_FORBIDDEN" })]);
        expect((await api.ask("GET /db")).text).toBe('{"products":[{"id":1}],"profile":{}}');
      });
    }
  }

  test("names that every object has are data like any other", async () => {
    const api = await startApi({ data: { products: [] } });
    const body = { toString: 1, constructor: { prototype: 2 }, length: 3, hasOwnProperty: null, valueOf: "x" };
    expect((await api.ask("POST /products", { body })).body).toEqual({ ...body, id: 1 });
    for (const query of [
      "toString=1",
      "constructor.prototype=2",
      "length=3",
      "valueOf_like=X",
      "q=x",
      "_sort=toString",
    ]) {
      expect(idsOf(await api.ask(`GET /products?${query}`)), query).toEqual([1]);
    }
    expect((await api.ask("PUT /products/1", { body: { length: 0 } })).body).toEqual({ length: 0, id: 1 });
  });
});
