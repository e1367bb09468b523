import { expect, test } from "vitest";
import { doubtAbout, readTyped } from "../../../console/src/data/filters/typed-filters.ts";
import { conditionText } from "../../../console/src/data/operators.ts";
import type { FieldKind } from "../../../console/src/data/table/columns.ts";

const KINDS: Readonly<Record<string, FieldKind>> = {
  price: "number",
  name: "text",
  status: "text",
  added_on: "date",
  on_sale: "boolean",
  "size.width": "number",
};
const fields = Object.entries(KINDS).map(([name, kind]) => ({ name, kind, isMany: false }));
const isChoice = (name: string): boolean => name === "status";

test.each([
  ["price>400 status:active", ["price > 400", "status = active"], ""],
  ["oak price<=5 mug", ["price ≤ 5"], "oak mug"],
  ["status:active,draft", ["status is one of active, draft"], ""],
  ["-status:active", ["status ≠ active"], ""],
  ['name:"oak mug"', ["name contains oak mug"], ""],
  ["-name:oak", ["name does not contain oak"], ""],
  ["name=Oak", ["name = Oak"], ""],
  ["Price!=3", ["price ≠ 3"], ""],
  ["price:10..20", ["price ≥ 10", "price ≤ 20"], ""],
  ["size.width>3", ["size.width > 3"], ""],
  ["added_on>=2026-01-31", ["added_on ≥ 2026-01-31"], ""],
  ["colour:red", [], "colour:red"],
  ["price>", [], "price>"],
  ["12:30", [], "12:30"],
  ["a  b", [], "a  b"],
  ["price>abc", [], "price>abc"],
  ["price:10,null", ["price is one of 10, null"], ""],
])("%s is %j and the text %j", (text, words, rest) => {
  const read = readTyped(text, { fields, isChoice });
  const shown = read.filters.flat().map((condition) => conditionText(condition, KINDS[condition.path] ?? "text"));
  expect([shown, read.rest]).toEqual([words, rest]);
});

test.each([
  ["prce>40", "There is no field prce. Did you mean price?"],
  ["oak stauts:active", "There is no field stauts. Did you mean status?"],
  ["statuss:active", "There is no field statuss. Did you mean status?"],
  ["weight>40", "There is no field weight."],
  ["price>abc", "price has numbers, and abc is not one."],
  ["price:10..x", "price has numbers, and x is not one."],
  ["added_on>soon", "added_on has dates such as 2026-01-31, and soon is not one."],
  ["on_sale:maybe", "on_sale has the values true and false, and maybe is not one."],
  ["price>40", undefined],
  ["price:10..20 status:active", undefined],
  ["at 12:30", undefined],
  ["https://shop.example", undefined],
  ["oak mug", undefined],
])("%s is doubted by %j", (text, doubt) => {
  expect(doubtAbout(text, { fields, isChoice })).toBe(doubt);
});
