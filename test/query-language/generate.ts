import type { Json, JsonObject } from "../../src/base/json/json.ts";
import type { Random } from "../compat/random.ts";
import { nameOf, valuesAt } from "./oracle.ts";
import { type Column, type Key, type Leaf, OPERATORS, type Part, type Question, type Tree } from "./question.ts";

const TEXTS = [
  "",
  " ",
  "a",
  "A",
  "b",
  "a,b",
  "lamp",
  "Desk Lamp",
  "LAMP-7",
  "İstanbul",
  "istanbul",
  "Straße",
  "STRASSE",
  "ß",
  "ẞ",
  "ΟΔΟΣ",
  "οδοσ",
  "😀 lamp",
  "😁",
  "\u212A",
  "k",
  "ſteel",
  "Steel",
  "Ärger",
  "ärger",
  "1",
  "5",
  "10",
  "2.5",
  "-3",
  "1e1",
  "0x10",
  "1e21",
  "true",
  "false",
  "null",
  "NaN",
  "%",
  "_",
  "\\",
  "a\\,b",
  "'",
  '"',
  "[object Object]",
  "2026-01-05",
  "2026-01-06",
  "\uffff",
  "x".repeat(501),
];
const NUMBERS = [0, 1, 2, 3, 5, 7, 10, -3, 2.5, 0.1, 0.2, 0.3, 1e21, 1e-7, 9_007_199_254_740_991];
/** Values in requests that no record has. */
const ODD_VALUES = ["Infinity", "-Infinity", " 7 ", "lam", "str", "_in", "nosuch", "1e400", "tanb", "\u0307"];
/** For `like`: letters on which JavaScript and a linear-time engine agree. */
const PATTERNS = [
  "lamp",
  "LAMP",
  "^a",
  "p$",
  "l.mp",
  "[0-9]+",
  "^$",
  "a|b",
  "(la|de)",
  "straße",
  "",
  ",",
  "t.*l",
  "\\d",
  "x{3}",
];

/** The fields that only some of the generated collections have, named like operators and parameters. */
export const ODD_FIELDS = ["check_in", "x:in", "-price", "a.b", "_or", "x_gt", "price_null", "_group"];
const PATHS = [
  ...["id", "price", "name", "tags", "place", "place.city", "place.size", "place.in", "place.0", "place.0.city"],
  ...["tags.0", "tags.length", "name.length", "check", "check_in", "x", "x:in", "x_gt", "-price", "a", "a.b", "_or"],
  ...["any", "any.x", "any.y", "any.y.x", "any[0]", "any.0.x", "any.x.x", "price_null", "_group"],
];
const UNKNOWN_PATHS = ["nosuch", "nosuch.deep", "constructor", "any.constructor", "length", "x_in"];

/** Generates collections of mixed data, and questions about them. */
export class Generator {
  readonly #random: Random;
  readonly #pagesOfWalks: readonly number[];
  #nextId = 1;
  #fields: readonly string[] = [];

  constructor(random: Random, pagesOfWalks: readonly number[] = [1, 2, 4, 10]) {
    this.#random = random;
    this.#pagesOfWalks = pagesOfWalks;
  }

  records(count: number): JsonObject[] {
    const random = this.#random;
    this.#nextId = 1;
    this.#fields = ODD_FIELDS.filter(() => random.chance(0.25));
    return Array.from({ length: count }, () => this.record());
  }

  /** A record with an id of its own; seldom one with fields that the collection did not have. */
  record(): JsonObject {
    const random = this.#random;
    const id = this.#nextId++;
    return { id: random.chance(0.1) ? `t${id}` : id, ...this.body() };
  }

  body(): JsonObject {
    const random = this.#random;
    const fields = random.chance(0.03) ? ODD_FIELDS : this.#fields;
    const body: JsonObject = {};
    const add = (name: string, probability: number, value: () => Json): void => {
      if (random.chance(probability)) body[name] = value();
    };
    add("name", 0.9, () => (random.chance(0.9) ? random.pick(TEXTS) : this.#value(1)));
    add("price", 0.9, () => (random.chance(0.7) ? random.pick(NUMBERS) : this.#value(1)));
    add("tags", 0.7, () => (random.chance(0.8) ? random.several(TEXTS.slice(0, 14), 0, 3) : this.#value(2)));
    add("place", 0.7, () => this.#place());
    add("check", 0.4, () => random.pick(NUMBERS));
    add("x", 0.5, () => random.pick<Json>([...NUMBERS, ...TEXTS, null, true]));
    add("a", 0.4, () => random.pick<Json>([{ b: 1 }, { b: "a" }, [{ b: 2 }, { b: [1] }], 5, null, { b: null }]));
    add("any", 0.8, () => this.#value(3));
    for (const field of fields) add(field, 0.4, () => this.#value(1));
    return body;
  }

  #place(): Json {
    const random = this.#random;
    const place = (): JsonObject => ({
      ...(random.chance(0.9) && { city: random.pick<Json>(["Rome", "rome", "İstanbul", null, 5, ["Rome", "Paris"]]) }),
      ...(random.chance(0.5) && { size: random.pick<Json>(NUMBERS) }),
      ...(random.chance(0.05) && { in: random.pick<Json>(NUMBERS) }),
    });
    if (random.chance(0.1)) return this.#value(1);
    return random.chance(0.5) ? place() : Array.from({ length: random.int(0, 2) }, place);
  }

  #value(depth: number): Json {
    const random = this.#random;
    const kind = random.int(0, depth > 0 ? 9 : 6);
    if (kind <= 2) return random.pick(TEXTS);
    if (kind <= 4) return random.pick(NUMBERS);
    if (kind === 5) return random.chance(0.5);
    if (kind === 6) return null;
    if (kind <= 8) return Array.from({ length: random.int(0, 3) }, () => this.#value(depth - 1));
    const keys = ["x", "y", "in"].filter(() => random.chance(0.5));
    return Object.fromEntries(keys.map((key) => [key, this.#value(depth - 1)]));
  }

  question(records: readonly JsonObject[]): Question {
    const random = this.#random;
    const where = Array.from({ length: random.pick([0, 1, 1, 1, 1, 2, 2, 3]) }, () =>
      random.chance(0.6) ? this.leaf(records) : this.#tree(records, 3),
    );
    const search = random.chance(0.1) ? random.pick(["lamp", "5", "ß", "İ", "str", "true", "a"]) : "";
    if (random.chance(0.2)) return { where, search, ...this.#grouped() };
    const sort = this.#keys(PATHS.concat(UNKNOWN_PATHS));
    const part = this.#part(records.length);
    const fields = random.chance(0.15) ? this.#selection() : undefined;
    return { where, search, sort, part, fields };
  }

  bareTree(records: readonly JsonObject[]): Question {
    return { where: [this.#tree(records, 3)], search: "", sort: [] };
  }

  #tree(records: readonly JsonObject[], depth: number): Tree {
    const random = this.#random;
    if (depth === 0 || random.chance(0.4)) return this.leaf(records);
    if (random.chance(0.2)) return { kind: "not", part: this.#tree(records, depth - 1) };
    const count = random.pick([0, 1, 2, 2, 2, 3, 3]);
    const parts = Array.from({ length: count }, () => this.#tree(records, depth - 1));
    return { kind: random.pick(["and", "or", "or"]), parts };
  }

  leaf(records: readonly JsonObject[]): Leaf {
    const random = this.#random;
    const path = random.chance(0.95) ? random.pick(PATHS) : random.pick(UNKNOWN_PATHS);
    const operator = random.pick(OPERATORS);
    const isNegated = random.chance(0.2);
    const value = (): string => this.#wanted(operator, path, records);
    const isList = operator === "in" || operator === "nin";
    const count = isList ? random.int(0, 3) : random.chance(0.15) ? 2 : 1;
    return { kind: "leaf", path, operator, isNegated, values: Array.from({ length: count }, value) };
  }

  #wanted(operator: string, path: string, records: readonly JsonObject[]): string {
    // Half a character has no address.
    return this.#wantedText(operator, path, records).replace(/\p{Surrogate}/gu, "\ufffd");
  }

  #wantedText(operator: string, path: string, records: readonly JsonObject[]): string {
    const random = this.#random;
    if (operator === "null") return random.pick(["true", "false"]);
    if (operator === "like") return random.pick(PATTERNS);
    const isHeld = random.chance(0.8) && records.length > 0;
    const text = isHeld ? this.#heldText(valuesAt(random.pick(records), path)) : this.#anyText();
    if (!["contains", "startsWith", "endsWith"].includes(operator) || random.chance(0.3)) return text;
    const characters = [...text];
    const from = operator === "startsWith" ? 0 : random.int(0, characters.length);
    const to = operator === "endsWith" ? characters.length : random.int(from, characters.length);
    const part = characters.slice(from, to).join("");
    return random.pick([part, part.toUpperCase(), part.toLowerCase()]);
  }

  #anyText(): string {
    const random = this.#random;
    return random.pick([...TEXTS, ...NUMBERS.map(String), ...ODD_VALUES]);
  }

  /** The text of a value somewhere in a record. */
  #heldText(value: Json): string {
    if (Array.isArray(value) && this.#random.chance(0.3)) return String(value);
    if (typeof value !== "object" || value === null) return String(value);
    const inner = Object.values(value);
    return inner.length === 0 ? "" : this.#heldText(this.#random.pick(inner));
  }

  #keys(paths: readonly string[]): Key[] {
    const random = this.#random;
    if (random.chance(0.4)) return [];
    return random
      .several(paths, 1, 3)
      .filter((path) => path !== "")
      .map((path) => ({ path, isDescending: random.chance(0.5) }));
  }

  /** Walks need the number of records that there are. */
  #part(count?: number): Part | undefined {
    const random = this.#random;
    const page = random.int(1, 5);
    switch (random.int(0, count === undefined ? 5 : 7)) {
      case 0:
        return { kind: "page", page, size: random.int(1, 12) };
      case 1:
        return { kind: "envelope", page, size: random.int(1, 12) };
      case 2: {
        const start = random.int(-8, 30);
        return { kind: "slice", start, end: random.chance(0.3) ? undefined : random.int(-8, 40) };
      }
      case 6:
      case 7:
        return { kind: "walk", size: Math.ceil(((count ?? 0) + 1) / random.pick(this.#pagesOfWalks)) };
      default:
        return undefined;
    }
  }

  #selection(): Question["fields"] {
    const names = this.#random.several(
      PATHS.filter((path) => !/\d/.test(path) && !path.includes("length")),
      1,
      4,
    );
    return { names, isDropping: this.#random.chance(0.4) };
  }

  #grouped(): Pick<Question, "sort" | "part" | "groups"> {
    const random = this.#random;
    const paths = [...new Set(random.several([...PATHS, "nosuch"], 0, 2))];
    const columns: Column[] = [];
    for (const kind of random.several(["count", "sum", "avg", "min", "max"] as const, 1, 4)) {
      const column: Column = {
        kind,
        path: kind === "count" ? "" : random.pick(["price", "x", "any", "id", "place.size"]),
      };
      if (!columns.some((one) => nameOf(one) === nameOf(column))) columns.push(column);
    }
    const names = [...paths, ...columns.map(nameOf)];
    const having = random.chance(0.3) ? [{ ...this.leaf([]), path: random.pick(names) }] : [];
    return { sort: this.#keys(names), part: this.#part(), groups: { paths, columns, having } };
  }
}
