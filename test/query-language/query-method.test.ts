import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { type AskOptions, askAt, codeOf, idsOf } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";

const stays = [
  { id: 1, check_in: "a,b" },
  { id: 2, check_in: "a" },
];

let standin: Pick<Standin, "url" | "close">;

beforeAll(async () => {
  standin = await createStandin({ data: { ...catalog(), stays, profile: { name: "Ann" } } });
});
afterAll(() => standin.close());

const ask = (line: string, options?: AskOptions) => askAt(standin.url, line, options);
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

describe("QUERY takes its parameters from the body", () => {
  const rows: [title: string, line: string, options: AskOptions, ids: number[]][] = [
    ["a form", "QUERY /products", { body: "price:gt=99.99&_sort=-price", headers: FORM }, [5, 8]],
    ["a form with escapes", "QUERY /products", { body: "name%3Acontains=steel+hat", headers: FORM }, [1]],
    ["JSON", "QUERY /products", { body: { "price:gt": 99.99, _sort: "-price" } }, [5, 8]],
    [
      "JSON with a charset",
      "QUERY /products",
      { body: { id: 3 }, headers: { "Content-Type": "application/json; charset=utf-8" } },
      [3],
    ],
    ["a list", "QUERY /products", { body: { "id:in": [3, "5"] } }, [3, 5]],
    ["repeated values", "QUERY /products", { body: { id: [3, 5] } }, [3, 5]],
    [
      "conditions as an object",
      "QUERY /products",
      { body: { _where: { or: [{ id: 3 }, { price: { lt: 6 } }] } } },
      [3, 7],
    ],
    ["conditions as a text", "QUERY /products", { body: { _where: '{"id":3}' } }, [3]],
    ["alternatives", "QUERY /products", { body: { _or: ["id=3", "price:lt=6"] } }, [3, 7]],
    [
      "numbers and booleans",
      "QUERY /products",
      { body: { _page: 2, _limit: 5, "name:null": false } },
      [6, 7, 8, 9, 10],
    ],
    ["no body at all", "QUERY /products?id=4", {}, [4]],
    ["an empty object", "QUERY /products?id=4", { body: {} }, [4]],
    ["an address with parameters of its own", "QUERY /products?company_id=3", { body: { "price:lt": 15 } }, [6]],
    ["a nested route", "QUERY /companies/3/products", { body: { "price:lt": 15 } }, [6]],
    ["a comma in an element of a list", "QUERY /stays", { body: { "check_in:in": ["a,b"] } }, [1]],
    // A field of that name takes precedence over the suffix, so that its values are no lists.
    ["a comma in the value of a field named like a list", "QUERY /stays", { body: { check_in: ["a,b"] } }, [1]],
    ["an override", "POST /products", { body: { id: 4 }, headers: { "X-HTTP-Method-Override": "QUERY" } }, [4]],
    [
      "an override in lower case",
      "POST /products",
      { body: { id: 4 }, headers: { "X-HTTP-Method-Override": "query" } },
      [4],
    ],
  ];
  for (const [title, line, options, ids] of rows) {
    test(`${title} -> ${JSON.stringify(ids)}`, async () => {
      const answer = await ask(line, options);
      expect(answer.status, answer.text).toBe(200);
      expect(idsOf(answer)).toEqual(ids);
    });
  }

  const refused: [title: string, options: AskOptions, status: number, code: string][] = [
    ["another type", { body: "<x/>", headers: { "Content-Type": "text/xml" } }, 415, "BODY_TYPE_UNSUPPORTED"],
    ["a list", { body: [1] }, 400, "BODY_NOT_OBJECT"],
    ["broken JSON", { body: "{" }, 400, "BODY_MALFORMED"],
    ["null as a value", { body: { name: null } }, 400, "QUERY_INVALID"],
    ["an object as a value", { body: { name: { contains: "a" } } }, 400, "QUERY_INVALID"],
    ["an unknown operator", { body: { "name:foo": 1 } }, 400, "QUERY_INVALID"],
  ];
  for (const [title, options, status, code] of refused) {
    test(`${title} -> ${status} ${code}`, async () => {
      const answer = await ask("QUERY /products", options);
      expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    });
  }

  test("the type that it does not take names those that it does", async () => {
    const answer = await ask("QUERY /products", { body: "x", headers: { "Content-Type": "text/plain" } });
    expect(answer.headers.get("accept-query")).toMatch(/application\/json.*application\/x-www-form-urlencoded/);
  });

  test("Allow and Accept-Query name it where it is offered, and only there", async () => {
    const { headers } = await ask("PUT /products", { body: {} });
    expect(headers.get("allow")).toMatch(/\bQUERY\b/);
    expect(headers.get("accept-query")).toMatch(/application\/json/);
    const record = await ask("QUERY /products/1", { body: {} });
    expect([record.status, record.headers.get("allow")]).toEqual([405, expect.not.stringContaining("QUERY")]);
    expect((await ask("QUERY /nope", { body: {} })).status).toBe(404);
  });

  test("a conditional one depends on the body", async () => {
    const first = await ask("QUERY /products", { body: { id: 1 } });
    const tag = first.headers.get("etag");
    if (tag === null) return;
    const again = { body: { id: 1 }, headers: { "If-None-Match": tag } };
    expect((await ask("QUERY /products", again)).status).toBe(304);
    const other = await ask("QUERY /products", { body: { id: 2 }, headers: { "If-None-Match": tag } });
    expect([other.status, idsOf(other)]).toEqual([200, [2]]);
  });

  test("Prefer works as with GET", async () => {
    const headers = { Prefer: "count=exact, handling=strict" };
    const answer = await ask("QUERY /products", { body: { "price:gt": 99 }, headers });
    expect(answer.headers.get("x-total-count")).toBe("3");
    expect((await ask("QUERY /products", { body: { nosuch: 1 }, headers })).status).toBe(400);
  });
});
