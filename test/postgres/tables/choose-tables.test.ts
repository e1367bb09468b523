import { describe, expect, test } from "vitest";
import { openStore } from "../../../src/store/open-store.ts";
import { contentOf } from "../../../src/store/store.ts";
import { chooseTables } from "../../../src/store/tables/choose-tables.ts";
import { openSchema, SHOP } from "./served-tables.ts";

describe("--tables", () => {
  const TABLES = [
    { schema: "public", table: "products" },
    { schema: "public", table: "My.Table" },
    { schema: "shop", table: "products" },
    { schema: "shop", table: "orders" },
  ];
  const cases: [wanted: string, chosen: number[]][] = [
    ["public", [0, 1]],
    ["shop", [2, 3]],
    ["shop.orders, products", [3, 0]],
    ['"My.Table"', [1]],
    ["public,public.products", [0, 1]],
  ];
  for (const [wanted, chosen] of cases) {
    test(`${wanted} chooses ${chosen.length}`, () => {
      expect(chooseTables(wanted, TABLES)).toEqual(chosen.map((at) => TABLES[at]));
    });
  }
  const refused: [wanted: string, words: RegExp][] = [
    ["shop.ordrs", /Did you mean "shop.orders"/],
    ["a.b.c", /separated by commas/],
    ["", /separated by commas/],
    ["products,", /separated by commas/],
  ];
  for (const [wanted, words] of refused) {
    test(`${wanted || "nothing"} is refused in words`, () => expect(() => chooseTables(wanted, TABLES)).toThrow(words));
  }
});

test("--memory serves a copy with the keys and relations of the tables", async () => {
  const opened = await openSchema(SHOP);
  const reading = { idKey: "id", memory: true, durability: "process", followsOutside: false, warn: () => {} } as const;
  const copy = await openStore(opened.url, { ...reading, tables: opened.schema });
  expect(copy.idKeyOf("codes")).toBe("code");
  expect(copy.declared?.products).toMatchObject({ maker: { to: "companies" }, parent_id: { to: "products" } });
  await copy.apply({ kind: "remove", collection: "codes", id: "z", dependents: [] });
  expect(await opened.run("SELECT code FROM codes ORDER BY code")).toHaveLength(2);
  const codes = (await copy.export()).find(({ name }) => name === "codes");
  expect(codes && contentOf(codes)).toEqual([{ code: "a b/c", label: "odd" }]);
  await copy.close();
  await opened.close();
});

test("--tables is for a database alone", async () => {
  const reading = { idKey: "id", memory: true, durability: "process", followsOutside: false, warn: () => {} } as const;
  await expect(openStore("package.json", { ...reading, tables: "public" })).rejects.toThrow(/postgres:\/\/ URL/);
});
