import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Conditions, createStandin, type Standin } from "../../src/index.ts";

interface Product {
  id: number;
  name: string;
  price: number | null;
  tags?: string[];
  size?: { width: number } | null;
  or?: number;
}

const products: Product[] = [
  { id: 1, name: "Hat", price: 10, tags: ["felt", "red"] },
  { id: 2, name: "Mug", price: 8, size: { width: 3 } },
  { id: 3, name: "Top hat", price: 120 },
  { id: 4, name: "Pot", price: null, size: null },
  { id: 5, name: "1", price: 1 },
];

let api: Standin<{ products: Product[] }>;
beforeAll(async () => {
  api = await createStandin({ data: { products } });
});
afterAll(() => api.close());

const cases: [name: string, conditions: Conditions<Product>, ids: number[]][] = [
  ["a range", { price: { gt: 8, lte: 120 } }, [1, 3]],
  ["a list", { id: { in: [1, 3, 9] } }, [1, 3]],
  ["not in a list", { id: { nin: [1, 3] } }, [2, 4, 5]],
  ["a part of a text", { name: { contains: "HAT" } }, [1, 3]],
  ["the start and the end of a text", { name: { startsWith: "t", endsWith: "t" } }, [3]],
  ["a pattern", { name: { like: "^.u" } }, [2]],
  ["an element of an array", { tags: { eq: "felt" } }, [1]],
  ["no value", { price: { null: true } }, [4]],
  ["a value", { size: { null: false } }, [2]],
  ["null by equality", { price: { eq: null } }, [4]],
  ["null or a number", { price: { in: [null, 8] } }, [2, 4]],
  ["not null", { price: { ne: null } }, [1, 2, 3, 5]],
  ["alternatives", { or: [{ price: { lt: 5 } }, { name: "Mug" }] }, [2, 5]],
  ["alternatives with another condition", { price: { gt: 5 }, or: [{ id: 1 }, { id: 4 }] }, [1]],
  ["all of several", { and: [{ price: { gt: 5 } }, { price: { lt: 100 } }] }, [1, 2]],
  ["the opposite", { not: { price: { gt: 5 } } }, [4, 5]],
  ["the opposite of an equal value", { not: { name: "Mug" } }, [1, 3, 4, 5]],
  ["an equal object, all of it", { size: { width: 3 } }, [2]],
  ["an equal array", { tags: ["felt", "red"] }, [1]],
  ["a part of an array is not equal", { tags: ["felt"] }, []],
  ["an empty object is a value, no condition", { size: {} as never }, []],
  ["equality by type: a text is no number", { name: 1 as never }, []],
  ["null as a value", { price: null }, [4]],
  ["nothing at all", {}, [1, 2, 3, 4, 5]],
  ["no alternative", { or: [] }, []],
];

describe("db.products.find", () => {
  for (const [name, conditions, ids] of cases) {
    test(`${name}: ${JSON.stringify(conditions)}`, async () => {
      expect((await api.db.products.find(conditions)).map(({ id }) => id)).toEqual(ids);
    });
  }

  test("takes the whole language as a query string", async () => {
    const rows = (await api.db.products.find("_group=tags&_aggregate=count")) as unknown[];
    expect(rows).toEqual([
      { tags: ["felt", "red"], count: 1 },
      { tags: null, count: 4 },
    ]);
    expect(await api.db.products.find("price:gt=8&_fields=id&_sort=-price")).toEqual([{ id: 3 }, { id: 1 }]);
  });

  test("returns copies", async () => {
    const [hat] = await api.db.products.find({ id: { eq: 1 } });
    hat!.name = "changed";
    expect((await api.db.products.get(1))?.name).toBe("Hat");
  });

  test("refuses an operator it cannot read", async () => {
    await expect(api.db.products.find({ name: { like: "(" } })).rejects.toMatchObject({ code: "QUERY_INVALID" });
    await expect(api.db.products.find({ price: { null: "yes" as never } })).rejects.toMatchObject({
      code: "QUERY_INVALID",
    });
  });

  test("wrong types are refused by the compiler", async () => {
    // @ts-expect-error: a price is no text
    await api.db.products.find({ price: { gt: "8" } });
    // @ts-expect-error: there is no such field
    await api.db.products.find({ prise: { gt: 8 } });
  });
});

describe("find refuses operands that an operator cannot take", () => {
  const refused: [conditions: unknown, message: string][] = [
    [{ price: { gt: null } }, "price.gt: cannot take null."],
    [{ price: { gt: [5, 6] } }, 'price.gt: takes one value; use "in" for several.'],
    [{ size: { eq: { width: 3 } } }, "size.eq: takes a text, a number or a boolean."],
  ];
  for (const [conditions, message] of refused) {
    test(JSON.stringify(conditions), async () => {
      await expect(api.db.products.find(conditions as never)).rejects.toMatchObject({ code: "QUERY_INVALID", message });
    });
  }
});

test("find compares with a date as JSON has it", async () => {
  const visits = [
    { id: 1, at: "2026-01-01T00:00:00.000Z" },
    { id: 2, at: "2026-03-01T00:00:00.000Z" },
  ];
  const standin = await createStandin({ data: { visits } });
  const since = new Date("2026-02-01T00:00:00Z");
  expect(await standin.db.visits.find({ at: { gt: since } } as never)).toEqual([visits[1]]);
  await standin.close();
});

test("find takes or, and and not for fields where records have them", async () => {
  const rules = [{ id: 1, or: [{ a: 1 }], and: [{ b: 2 }], not: { c: 3 } }, { id: 2 }];
  const standin = await createStandin({ data: { rules } });
  for (const conditions of [{ or: [{ a: 1 }] }, { and: [{ b: 2 }] }, { not: { c: 3 } }]) {
    expect(await standin.db.rules.find(conditions as never)).toEqual([rules[0]]);
  }
  await standin.close();
});
