import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { Reporter } from "../../src/base/reporter.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { askAt } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { type ServedStore, serveStore } from "../support/serve-store.ts";

const notes: string[] = [];
let server: ServedStore;

beforeAll(async () => {
  const store = new MemoryStore(State.load({ ...catalog(), empty: [], profile: { name: "Ada" } } as JsonObject, "id"));
  const reporter: Reporter = { note: (text) => notes.push(text), done() {}, warn() {}, fault() {}, request() {} };
  server = await serveStore(store, {}, { reporter });
});
afterAll(() => server.close());
beforeEach(() => {
  notes.length = 0;
});

const ask = (search: string, collection = "products") => askAt(server.url, `GET /${collection}?${search}`);

describe("the log names parameters that look like mistakes, once each", () => {
  const named: [search: string, hint: string][] = [
    ["_pages=2", '"_page"'],
    ["_nosuch=2", "_nosuch"],
    ["price_cotains=1", '"price:contains"'],
    ["cost_gt=1", '"cost:gt"'],
    ["price_greater=1&price_gtt=1", '"price:gt"'],
    ["compny_id=1", '"company_id"'],
    ["nam=x", '"name"'],
    ["page=2", '"_page"'],
    ["limit=5", '"_limit"'],
    ["sort=name", '"_sort"'],
    ["per_page=3", '"_per_page"'],
    ["_sort=pric", '_sort=pric: no record of products has such a field. Did you mean "price"?'],
    ["_sort=price:desc", '_sort=price:desc: no record of products has such a field. Did you mean "-price"?'],
    ["_sort=name&_order=dsc", '_order=dsc: it must be "asc" or "desc". Did you mean "desc"?'],
    ["_sort=name,id&_order=asc,-1&_fields=id", '_order=-1: it must be "asc" or "desc"'],
    ["_group=name&_sort=count&_order=up", '_order=up: it must be "asc" or "desc".'],
    ["offset=20", '"_start"'],
    ["_fields=nam,id", '_fields=nam: no record of products has such a field. Did you mean "name"?'],
    ["_group=nam", '_group=nam: no record of products has such a field. Did you mean "name"?'],
    ["_aggregate=sum:pric", '_aggregate=sum:pric: no record of products has such a field. Did you mean "price"?'],
    ["_group=name&_sort=cuont", '_sort=cuont: there is no column "cuont". Did you mean "count"?'],
    ["_expand=compny", '_expand=compny: products has no relation "compny". Did you mean "company"?'],
    ["_embed=x", '_embed=x: products has no relation "x".'],
  ];
  for (const [search, hint] of named) {
    test(`${search} -> ${hint}`, async () => {
      await ask(search);
      expect(notes.join("\n")).toContain(hint);
      const count = notes.length;
      await ask(search);
      await ask(search, "companies");
      expect(notes).toHaveLength(count);
    });
  }

  test("the response has them in its Warning", async () => {
    const warningOf = async (path: string) => (await fetch(`${server.url}${path}`)).headers.get("warning");
    expect(await warningOf("/products?nam=x")).toBe(
      '199 standin "Probably a mistake: nam: no record of products has such a field, so it was ignored. Did you mean %22name%22?"',
    );
    expect(await warningOf("/products?_sort=-pric&_limit=1")).toContain("_sort=pric");
    expect(await warningOf("/products?_sort=price&_order=dsc&_limit=1")).toContain("_order=dsc");
    expect(await warningOf("/products/1?_expand=compny")).toContain("Did you mean %22company%22?");
    expect(await warningOf("/products/1?_fields=nam")).toContain("_fields=nam");
    expect(await warningOf("/products/1?_feilds=name")).toContain("Did you mean %22_fields%22?");
    expect(await warningOf("/products/1?_expand=company&_fields=nam,company")).toContain("_fields=nam");
    expect(await warningOf("/profile?_fields=nam")).toContain("Did you mean %22name%22?");
    expect(await warningOf("/products/1?_expand=company&_fields=name,company.name&_=1&utm=1")).toBeNull();
    expect(await warningOf("/products?_group=name&_aggregate=sum:price&_sort=-sum_price")).toBeNull();
    expect(await warningOf("/profile?_fields=name&_=1&utm=1")).toBeNull();
    expect(
      await warningOf("/products?_sort=-price&_expand=company&_fields=id,price,company.name&name=a&utm=1"),
    ).toBeNull();
  });

  test("nothing else is named", async () => {
    await ask("utm=1&utm_source=x&fbclid=2&price:gt=5&price_gt=5&_sort=-price&_limit=2&_=1&name=a");
    await ask("_sort=price,name,-id,company_id&_order=ASC,,anything,desc");
    await ask("anything_gt=1&_whatever=1", "empty");
    expect(notes).toEqual([]);
  });

  test("a name cannot write lines or colours of its own", async () => {
    await ask("_x%0d%0aforged%1b[2J=1");
    expect(notes).toHaveLength(1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
    expect(notes[0]).not.toMatch(/[\u0000-\u001f\u007f]/);
  });

  test("a name of any length takes one short line", async () => {
    await ask(`_${"x".repeat(5000)}=1`);
    expect(notes.join("").length).toBeLessThan(400);
  });
});
