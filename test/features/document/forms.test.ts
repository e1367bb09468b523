import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { payments, sendingForm, someCustomers } from "./payments.ts";
import { apart, type Served, serve } from "./serve.ts";

let served: Served;
beforeAll(async () => {
  served = await serve(payments, { data: { customers: someCustomers } });
});

describe("forms with brackets become objects and lists, in the types of the schema", () => {
  const sent: readonly [form: string, fields: JsonObject][] = [
    ["metadata[a]=b&metadata[order id]=6735", { metadata: { a: "b", "order id": "6735" } }],
    ["metadata[0]=b", { metadata: { "0": "b" } }],
    ["metadata%5Ba%5D=b%26c", { metadata: { a: "b&c" } }],
    ["address[city]=Oslo&balance=-5&validate=true", { address: { city: "Oslo" }, balance: -5, validate: true }],
    [
      "items[0][price]=x&items[0][quantity]=2&items[1][price]=y",
      { items: [{ price: "x", quantity: 2 }, { price: "y" }] },
    ],
    ["items[][price]=x&items[][price]=y&items[][quantity]=2", { items: [{ price: "x", quantity: 2 }, { price: "y" }] }],
    [
      "items[10][price]=b&items[9][price]=a&items[99999999][price]=c",
      { items: [{ price: "a" }, { price: "b" }, { price: "c" }] },
    ],
    ["items[0][price_data][recurring][count]=3", { items: [{ price_data: { recurring: { count: 3 } } }] }],
    ["languages[]=en&languages[]=no", { languages: ["en", "no"] }],
    ["languages[1]=no&languages[0]=en", { languages: ["en", "no"] }],
    ["languages=&expand[]=a", { languages: null }],
    ["events=a,b", { events: ["a", "b"] }],
  ];
  test.each(sent)("POST %s", async (form, fields) => {
    const { status, body } = await apart(served)("POST /v1/customers", sendingForm(`email=a@b.c&${form}`));
    expect([status, body]).toMatchObject([200, fields]);
  });

  test("names that mean something to JavaScript are ordinary names or refused", async () => {
    const ask = apart(served);
    const { body } = await ask(
      "POST /v1/customers",
      sendingForm("email=a@b.c&metadata[constructor]=x&metadata[toString]=y"),
    );
    expect(body).toMatchObject({ metadata: { constructor: "x", toString: "y" } });
    const refused = await ask("POST /v1/customers", sendingForm("email=a@b.c&metadata[__proto__][x]=1"));
    expect([refused.status, refused.headers.get("x-standin-code")]).toEqual([400, "KEY_FORBIDDEN"]);
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });

  const refused: readonly [form: string, status: number, reason: RegExp][] = [
    ["metadata=1&metadata[b]=2", 400, /metadata and metadata\[b\] contradict each other/],
    ["items[0]=1&items[0][price]=2", 400, /items\[0\] and items\[0\]\[price\] contradict/],
    ["items[]=1&items[price]=2", 400, /items\[\] and items\[price\] contradict/],
    [`metadata${"[a]".repeat(30)}=1`, 400, /at most 20 levels/],
    ["items[0][quantity]=many", 400, /\/body\/items\/0\/quantity must be a whole number/],
    ["email[a]=b", 400, /\/body\/email must be a string/],
    ["address[0]=b&items[price]=x", 400, /\/body\/items must be an array/],
    ["unknown[a]=b", 400, /\/body\/unknown is not an allowed field/],
  ];
  test.each(refused)("POST %s is refused with %i", async (form, status, reason) => {
    const found = await served.ask(
      "POST /v1/customers",
      sendingForm(form.includes("email") ? form : `email=a@b.c&${form}`),
    );
    expect([found.status, found.text]).toEqual([status, expect.stringMatching(reason)]);
    expect((await served.ask("GET /v1/customers?limit=9")).body).toMatchObject({ data: { length: 4 } });
  });
});

test.each([
  ["/v1/customers?expand[]=data.email&expand[]=x", 200],
  ["/v1/customers?expand[0]=data.email", 200],
  ["/v1/customers?created[gte]=1", 200],
  ["/v1/customers?created=1000", 200],
  ["/v1/customers?created[gte]=never", 400],
  ["/v1/customers?created=1&created[gte]=1", 400],
  ["/v1/customers?created[__proto__]=1", 400],
])("GET %s is %i", async (path, status) => {
  expect((await served.ask(`GET ${path}`)).status).toBe(status);
});
