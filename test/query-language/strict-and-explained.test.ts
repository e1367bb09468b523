import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";

const strict = { prefer: "handling=strict" };
const data = {
  settings: { theme: "dark", size: { width: 3 } },
  orders: [
    { id: 1, price: 3, place: { lat: 1 } },
    { id: 2, price: 4, place: { lat: 0 } },
    { id: 3, price: 4, place: { lat: 1 } },
  ],
};

describe("strict handling", () => {
  test.each([
    ["a column to sort groups by", "/orders?_group=price&_sort=-cuont", 'Did you mean "count"?'],
    ["a field of one record", "/orders/1?_fields=prise", 'Did you mean "price"?'],
    ["a parameter for one record", "/orders/1?_feilds=price", 'Did you mean "_fields"?'],
    ["a field of a singleton", "/settings?_fields=thme", 'Did you mean "theme"?'],
    ["a parameter for a singleton", "/settings?_feilds=theme", 'Did you mean "_fields"?'],
  ])("refuses %s that is not there, with the nearest name", async (_, address, hint) => {
    const { ask } = await startApi({ data });
    const { status, body } = await ask(`GET ${address}`, { headers: strict });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "QUERY_FIELD_UNKNOWN", message: expect.stringContaining(hint) });
  });

  test.each([
    "/orders?_group=price&_sort=-count,price",
    "/orders?_group=place&_sort=place.lat",
    "/orders/1?_fields=price",
    "/settings?_fields=size.width",
    "/settings?_delay=0",
  ])("applies to %s", async (address) => {
    const { ask } = await startApi({ data });
    const { status, headers } = await ask(`GET ${address}`, { headers: strict });
    expect(status).toBe(200);
    expect(headers.get("preference-applied")).toBe("handling=strict");
  });

  test("applies to an explanation", async () => {
    const { ask } = await startApi({ data });
    const headers = { prefer: "explain, handling=strict" };
    expect((await ask("GET /orders?prise=3", { headers })).body).toMatchObject({ code: "QUERY_FIELD_UNKNOWN" });
    const explained = await ask("GET /orders?price=3", { headers });
    expect(explained.body).toMatchObject({ total: 1 });
    expect(explained.headers.get("preference-applied")).toBe("handling=strict, explain");
  });
});

describe("an explanation", () => {
  const headers = { prefer: "explain" };

  test("counts the rows that _having keeps", async () => {
    const { ask } = await startApi({ data });
    expect((await ask("GET /orders?_group=price&_having=count:gt=1", { headers })).body).toMatchObject({ total: 1 });
  });

  test("has no total with a cursor, which counts nothing", async () => {
    const { ask } = await startApi({ data });
    const { body } = await ask("GET /orders?_after=&_limit=1", { headers });
    expect(body).toMatchObject({ plan: ["the records from the cursor on"] });
    expect(body).not.toHaveProperty("total");
  });
});
