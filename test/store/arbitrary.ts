import fc from "fast-check";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import type { Write } from "../../src/store/store.ts";

/** Mixed records, writes and queries of a collection named things: what every store and every way to answer must agree on. */
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.integer({ min: -3, max: 12 }),
    fc.constantFrom<Json>(
      0.5,
      2.5,
      "a",
      "b",
      "abc",
      "Steel hat",
      "STEEL",
      "ſteel",
      "5",
      "10",
      "",
      "true",
      "-1",
      "Ärger",
    ),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }) as fc.Arbitrary<Json>,
    fc.record({ x: tie("value"), y: tie("value") }, { requiredKeys: [] }) as fc.Arbitrary<Json>,
  ),
})).value;
export const body = fc.record({ a: value, b: value, c: value }, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
const id = fc.integer({ min: 1, max: 60 }).map(String);

export const write: fc.Arbitrary<Write> = fc.oneof(
  body.map((one): Write => ({ kind: "create", collection: "things", bodies: [one] })),
  fc
    .tuple(fc.constantFrom("replace" as const, "patch" as const), id, body)
    .map(([kind, one, fields]): Write => ({ kind, collection: "things", id: one, body: fields })),
  id.map((one): Write => ({ kind: "remove", collection: "things", id: one, dependents: [] })),
);

const path = fc.constantFrom("a", "b", "c", "a.x", "b.y", "a.0", "c.x.y", "id", "a.length");
const text = fc.constantFrom("1", "5", "2.5", "a", "abc", "true", "0", "steel", "", "3", "-1", "null", "hat$", "st.*t");
const filter = fc
  .tuple(path, fc.constantFrom("", "", "_gte", "_lte", "_ne", "_like"), text)
  .map(([name, operator, wanted]) => `${name}${operator}=${encodeURIComponent(wanted)}`);
const sort = fc
  .tuple(fc.array(path, { minLength: 1, maxLength: 2 }), fc.constantFrom("asc", "desc"))
  .map(([names, order]) => `_sort=${names.join(",")}&_order=${order}`);
const window = fc.tuple(fc.nat(20), fc.nat(10)).map(([start, limit]) => `_start=${start}&_limit=${limit}`);
const search = fc.constantFrom("steel", "abc", "hat", "5", "ärg").map((wanted) => `q=${encodeURIComponent(wanted)}`);
export const query = fc
  .tuple(fc.array(filter, { maxLength: 3 }), fc.option(sort), fc.option(window), fc.option(search, { freq: 5 }))
  .map(([filters, ...others]) => [...filters, ...others.filter((part) => part !== null)].join("&"));
