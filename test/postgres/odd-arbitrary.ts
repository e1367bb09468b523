import fc from "fast-check";
import type { Json, JsonObject } from "../../src/base/json/json.ts";

/** Values that a database and JavaScript treat differently: letters, lengths, numbers, nesting, names. */
const texts = [
  "",
  " ",
  "a",
  "A",
  "ä",
  "Ä",
  "ß",
  "ẞ",
  "ſ",
  "K",
  "k",
  "İ",
  "i",
  "ı",
  "ΟΔΟΣ",
  "οδος",
  "\u0000",
  "\u0001",
  "\u0001\u0001",
  "a\u0000b",
  "\u0000\u0002",
  "\ud800",
  "\udc00x",
  "😀",
  "😁",
  "\ue000",
  "\uffff",
  "\ufffd",
  "x\ny",
  "x\ry",
  "x\u2028y",
  "tab\there",
  "%",
  "_",
  "\\",
  "'",
  '"',
  "a,b",
  "[object Object]",
  "true",
  "null",
  "1",
  "01",
  "1e21",
  "1e+21",
  "0.000001",
  "1e-7",
  "-0",
  "NaN",
  "Infinity",
  "(a)",
  "[a]",
  "a{2}",
  "aa",
  "$",
  "^",
  "a.b",
  "x".repeat(499),
  "x".repeat(500),
  "x".repeat(501),
  `${"x".repeat(501)}y`,
  "Steel hat",
  "steel-HAT 12",
];
const numbers = [
  0,
  1,
  -1,
  2,
  10,
  0.5,
  -0.25,
  1e21,
  1.5e300,
  1e-7,
  -1e-7,
  123456789012345680000,
  2 ** 53,
  5e-324,
  1.7976931348623157e308,
];

const text = fc.constantFrom(...texts);
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    { weight: 4, arbitrary: text },
    { weight: 3, arbitrary: fc.constantFrom(...numbers) },
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }) as fc.Arbitrary<Json>,
    fc.dictionary(fc.constantFrom("x", "y", "0", "length", "a.x", "😀", "\u0000", ""), tie("value"), {
      maxKeys: 2,
    }) as fc.Arbitrary<Json>,
  ),
})).value;

export const oddBody = fc.dictionary(
  fc.constantFrom("a", "b", "c", "a.x", "b.y", "😀", "", "0", "length", "constructor", "ä"),
  value,
  { maxKeys: 5 },
) as fc.Arbitrary<JsonObject>;

const path = fc.constantFrom(
  "a",
  "b",
  "c",
  "a.x",
  "b.y",
  "a.0",
  "a.length",
  "a.x.y",
  "a[0]",
  "a[x]",
  "[a]",
  "😀",
  "0",
  "length",
  "constructor",
  "ä",
  "b.0.x",
  "a.1.0",
  "nosuch",
  "a..x",
);
const wanted = fc.oneof(
  text,
  fc.constantFrom(...numbers).map(String),
  fc.constantFrom(
    "s",
    "ste",
    "^s",
    "t$",
    "h.t",
    "[a-k]",
    "\\d",
    "\\w+",
    "\\s",
    "x{3}",
    "[^a]",
    "a|ä",
    "(a)(b)?",
    "\\bhat",
    "[\\w-]+",
    "[0-9]{1,2}$",
    "ste+l",
    "\\u0041",
    ".",
  ),
);
const filter = fc
  .tuple(
    path,
    fc.constantFrom("", "", "_gte", "_lte", "_ne", "_like"),
    fc.array(wanted, { minLength: 1, maxLength: 2 }),
  )
  .map(([name, operator, values]) => values.map((one) => `${encode(name + operator)}=${encode(one)}`).join("&"));
const sort = fc
  .tuple(fc.array(path, { minLength: 1, maxLength: 2 }), fc.array(fc.constantFrom("asc", "desc"), { maxLength: 2 }))
  .map(([names, orders]) => `_sort=${names.map(encode).join(",")}&_order=${orders.join(",")}`);
const window = fc.oneof(
  fc
    .tuple(fc.integer({ min: -5, max: 45 }), fc.integer({ min: -5, max: 45 }))
    .map(([start, end]) => `_start=${start}&_end=${end}`),
  fc
    .tuple(fc.integer({ min: -3, max: 20 }), fc.integer({ min: -3, max: 20 }))
    .map(([start, limit]) => `_start=${start}&_limit=${limit}`),
  fc
    .tuple(fc.integer({ min: -1, max: 9 }), fc.integer({ min: -3, max: 12 }))
    .map(([page, limit]) => `_page=${page}&_limit=${limit}`),
  fc.integer({ min: -50, max: 50 }).map((start) => `_start=${start}`),
  fc.constantFrom(
    "_page=99999999999999999999",
    "_end=-99999999999999999999",
    "_limit=1e",
    "_start=99999999999999999999",
  ),
);

export const oddQuery = fc
  .tuple(
    fc.array(filter, { maxLength: 2 }),
    fc.option(sort),
    fc.option(window),
    fc.option(
      text.map((one) => `q=${encode(one)}`),
      { freq: 4 },
    ),
  )
  .map(([filters, ...others]) => [...filters, ...others.filter((part) => part !== null)].join("&"));

/** Half a character has no address. */
function encode(one: string): string {
  return encodeURIComponent(one.replace(/\p{Surrogate}/gu, "\ufffd"));
}
