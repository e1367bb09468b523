import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { generateDataset } from "../../src/schema/generate/dataset.ts";
import type { Random } from "./random.ts";

/** Products and companies as `standin generate` makes them. */
export function shopData(products: number, companies: number): JsonObject {
  return JSON.parse([...generateDataset({ products, companies, seed: 174 })].join("")) as JsonObject;
}

/** One of every oddity that a data file can hold and both servers can serve. */
export function oddData(): JsonObject {
  return structuredClone(ODD);
}

const ODD: JsonObject = {
  $schema: "./schema.json",
  things: [
    { id: 1, name: "Alpha", size: 10, flag: true, tags: ["red", "Blue"], box_id: 1, note: null, would_like: "tea" },
    { id: 2, name: "alpha", size: "10", flag: false, tags: [], box_id: "1", a: { b: "walked" }, would_like: "Coffee" },
    { id: "two", name: "Beta", size: 9.5, flag: "true", tags: ["red"], box_id: null, nested: null, "a.b": "literal" },
    { id: "x/y", name: "ΟΔΟΣ", size: -3, tags: [["deep", "er"], ["red"]], box_id: 99, nested: { deep: { n: 1 } } },
    { name: "İstanbul, Straße", id: "ä ö", size: 0, tags: "red", nested: { deep: null }, box_id: "a b" },
    {
      id: 4.5,
      name: "",
      size: 1e21,
      flag: 0,
      tags: [null, "", 0, false],
      parts: [
        { kind: "bolt", sizes: [1, 2] },
        { kind: "nut", sizes: [3] },
      ],
      box_id: 2,
    },
    {
      id: "007",
      name: "007",
      size: true,
      tags: { red: 1 },
      parts: [{ kind: "Bolt" }, 5, null, "bolt", [{ kind: "in" }]],
    },
    {
      id: -1,
      name: "line\r\nbreak\u00a0and tab\t",
      size: null,
      "odd key": "x y",
      "": "empty",
      parts: [],
      nested: { deep: { n: "1" } },
    },
    { id: "LIKE", name: "a+b (c) [d] 1.5", size: [10], tags: [1, 2, 3], nested: { deep: { n: [1] } }, note: "null" },
    { id: 12, name: "[object Object]", size: { width: 10 }, tags: ["red,Blue"], note: "undefined", box_id: true },
  ],
  boxes: [
    { id: 1, label: "one", room_id: 1 },
    { id: 2, label: "two", room_id: 1 },
    { id: "a b", label: "spaced", room_id: 2 },
    { id: "7", label: "seven", room_id: 3, things: "overwritten by an embed" },
  ],
  rooms: [
    { id: "1", floor: 1 },
    { id: 2, floor: -1 },
  ],
  CamelCase: [{ id: 1, Name: "Upper" }],
  empty: [],
  twins: [
    { id: 1, value: "first" },
    { id: 1, value: "second" },
    { id: "1", value: "third" },
    { id: 2, value: "other" },
  ],
  gaps: [
    { id: 1, name: "first" },
    { name: "without an id" },
    { id: 2, name: "second" },
    { id: null, name: "null as its id" },
    { id: 3, name: "after it" },
  ],
  "odd name": [{ id: 1, name: "reached by its escaped name" }],
  größe: [{ id: "ß", name: "not ASCII" }],
  profile: { name: "typicode", roles: ["admin", "user"], nested: { deep: true } },
  blank: {},
};

/** Small collections to write to, with ids of every kind. */
export function writableData(): JsonObject {
  return {
    ...shopData(5, 4),
    labels: [
      { id: "red", text: "Red" },
      { id: "blue", text: "Blue" },
    ],
    mixed: [{ id: 1 }, { id: "600", label_id: "red" }, { id: 2.5, label_id: "gone" }],
    lows: [{ id: -1 }],
    empty: [],
    profile: { name: "typicode", nested: { deep: true } },
  };
}

const TEXTS = ["a", "A", "b", "ab", "a b", "", "10", "9", "1", "01", "true", "null", "é", "E", "z,y"];
const NUMBERS = [0, 1, 9, 10, 10.5, -1, 100, 1e21];
const KEYS = ["a", "b", "c", "d", "e"];

/** Collections of random values: related, and of every kind of value in every field. */
export function randomData(random: Random): JsonObject {
  const ids = random.pick([numberIds, textIds]);
  const parents = Array.from({ length: random.int(0, 6) }, (_, position) => ({
    id: ids(position),
    ...randomRecord(random),
  }));
  const keys = [...parents.map(({ id }) => id), ...parents.map(({ id }) => String(id)), 77, null];
  const children = Array.from({ length: random.int(1, 14) }, (_, position) => ({
    ...randomRecord(random),
    id: numberIds(position),
    ...(random.chance(0.8) ? { parent_id: random.pick(keys) } : {}),
  }));
  return { parents, children, owner: randomRecord(random) };
}

function numberIds(position: number): Json & number {
  return position + 1;
}

function textIds(position: number): Json & string {
  return `t${position}`;
}

export function randomRecord(random: Random): JsonObject {
  const record: JsonObject = {};
  for (const key of KEYS) if (random.chance(0.7)) record[key] = randomValue(random, 0);
  return record;
}

export function randomValue(random: Random, depth: number): Json {
  const kind = random.int(0, depth > 2 ? 5 : 8);
  if (kind <= 1) return random.pick(TEXTS);
  if (kind <= 3) return random.pick(NUMBERS);
  if (kind === 4) return random.chance(0.5);
  if (kind === 5) return null;
  if (kind === 6) return Array.from({ length: random.int(0, 3) }, () => randomValue(random, depth + 1));
  const object: JsonObject = {};
  for (const key of random.several(KEYS, 0, 3)) object[key] = randomValue(random, depth + 1);
  return object;
}
