import { beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../../src/index.ts";
import { type Answer, askAt, codeOf } from "../../support/api.ts";

/** RFC 7089, with the resource as its own TimeGate: a request with `Accept-Datetime` gets the past itself. */
let api: Standin;
let now = Date.parse("2030-01-01T10:00:00Z");
const versions: number[] = [];

beforeAll(async () => {
  const data = { products: Array.from({ length: 25 }, (_, at) => ({ id: at + 1, price: 0 })) };
  api = await createStandin({ data, clock: () => now });
  for (let price = 1; price <= 3; price++) {
    now += 60_000;
    await api.request("PATCH /products/1", { body: { price } });
    versions.push((await api.history.list({ limit: 1 })).latest);
  }
  return () => api.close();
});

const ask = (line: string, datetime?: string, headers: Record<string, string> = {}): Promise<Answer> =>
  askAt(api.url, line, { headers: { ...headers, ...(datetime !== undefined && { "Accept-Datetime": datetime }) } });
const priceIn = ({ body }: Answer) => (body as { price: number }).price;

describe("Accept-Datetime", () => {
  test.each([
    ["Tue, 01 Jan 2030 10:01:00 GMT", 1],
    ["Tue, 01 Jan 2030 10:01:59 GMT", 1],
    ["Tue, 01 Jan 2030 10:02:00 GMT", 2],
    ["Mon, 01 Jan 2001 00:00:00 GMT", 0],
    ["Tue, 01 Jan 2999 00:00:00 GMT", 3],
  ])("%s gets the price %i", async (datetime, price) => {
    const answer = await ask("GET /products/1", datetime);
    expect([answer.status, priceIn(answer)]).toEqual([200, price]);
  });

  test("says which moment it is, where it is, and where the original is", async () => {
    const { headers } = await ask("GET /products?_page=1", "Tue, 01 Jan 2030 10:02:30 GMT");
    expect(headers.get("memento-datetime")).toBe("Tue, 01 Jan 2030 10:02:00 GMT");
    expect(headers.get("content-location")).toBe(`/__at/${versions[1]}/products?_page=1`);
    expect(headers.get("vary")).toContain("Accept-Datetime");
    expect(headers.get("cache-control")).toBe("no-cache");
    const link = headers.get("link") ?? "";
    expect(link).toContain(`<${api.url}/products?_page=1>; rel="original timegate"`);
    expect(link).toContain(`<${api.url}/__at/${versions[1]}/products?_page=2>; rel="next"`);
    expect((await ask(`GET ${headers.get("content-location")}`)).status).toBe(200);
  });

  test("of the first moment has the time of that, whatever way leads there", async () => {
    const first = (versions[0] ?? 0) - 1;
    for (const answer of [
      await ask("GET /products/1", "Mon, 01 Jan 2001 00:00:00 GMT"),
      await ask(`GET /products/1?_at=${first}`),
      await ask(`GET /__at/${first}/products/1`),
    ]) {
      expect(answer.headers.get("memento-datetime")).toBe("Tue, 01 Jan 2030 10:00:00 GMT");
    }
  });

  test("that cannot be read is 400", async () => {
    const answer = await ask("GET /products", "yesterday");
    expect([answer.status, codeOf(answer)]).toEqual([400, "HISTORY_INVALID"]);
  });

  test("counts for nothing beside _at, in writes, and where there is no past", async () => {
    const datetime = "Tue, 01 Jan 2030 10:01:00 GMT";
    expect(priceIn(await ask(`GET /products/1?_at=${versions[2]}`, datetime))).toBe(3);
    expect(priceIn(await ask(`GET /__at/${versions[2]}/products/1`, datetime))).toBe(3);
    expect((await ask("GET /health-check", datetime)).status).toBe(200);
    expect((await ask("GET /__requests", datetime)).status).toBe(200);
    expect((await ask("OPTIONS /products", datetime)).status).toBe(204);
    const made = await askAt(api.url, "POST /products", {
      body: { id: 99 },
      headers: { "Accept-Datetime": datetime, Prefer: "tx=rollback" },
    });
    expect(made.status).toBe(201);
  });
});

test("the present names the header in Vary, and is no memento", async () => {
  const { headers } = await ask("GET /products/1");
  expect(headers.get("vary")).toContain("Accept-Datetime");
  expect(headers.has("memento-datetime")).toBe(false);
});

test("a version is a memento of its own", async () => {
  const { headers } = await ask(`GET /__at/${versions[0]}/products/1`);
  expect(headers.get("memento-datetime")).toBe("Tue, 01 Jan 2030 10:01:00 GMT");
  expect(headers.get("link")).toBe(`<${api.url}/products/1>; rel="original timegate"`);
});
