import type { JsonObject } from "../../src/base/json/json.ts";

/** Databases that seem absurd, but exist somewhere. */
export const ODD_DATABASES: Readonly<Record<string, JsonObject>> = {
  "names that mean something elsewhere": {
    "a b/c?d#e": [{ id: 1, "x y": 1, "": 2, "a.b": 3, "list[0]": 4, q: 5, _sort: 6, price_gte: 7, filters: 8 }],
    "{id}": [{ id: "{id}" }],
    产品: [{ id: "一", 名: "甲" }],
    products: [{ id: 1 }],
    Product: [{ id: 1 }],
    product: { id: 1 },
    constructor: [{ id: 1, constructor: 1, toString: 2, hasOwnProperty: 3, __proto__x: 4 }],
    error: [{ id: 1 }],
    server: [{ id: 1 }],
    stats: [{ id: 1 }],
    __requests: [{ id: 1 }],
    db: [{ id: 1 }],
    "": [{ id: 1 }],
    "123": [{ id: 1, "1": true }],
    snapshots: { list: [] },
    $schema: "./schema.json",
  },
  "values of every kind in one place": {
    mixed: [1, "two", null, [3, [4, { five: 6 }]], { id: 7 }, true, { id: "eight", id2: null }],
    empty: [],
    objects: [{}, {}, {}],
    nothing: {},
    union: [
      { id: 1, value: 1, maybe: null },
      { id: 2, value: "x", other: [] },
      { id: 3, value: { deep: true }, other: [1, null, "x"] },
      { id: 1.5, value: [[]], maybe: 1e300 },
    ],
    comments: [{ id: 1, comment_id: 1, comments: "mine", comment: 5 }],
  },
  "large and deep": {
    wide: [Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`column ${at}`, at]))],
    dictionary: {
      words: Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`word-${at}`, { count: at }])),
    },
    deep: [{ id: 1, tree: deep(60) }],
    many: Array.from({ length: 20_000 }, (_, at) => ({ id: at + 1, state: at % 2 === 0 ? "on" : "off" })),
    huge: [{ id: 1, text: "<script>alert(1)</script>\u2028 \u202e🎉 ".repeat(10_000) }],
  },
};

function deep(levels: number): JsonObject {
  return levels === 0 ? { end: true } : { inner: deep(levels - 1) };
}
