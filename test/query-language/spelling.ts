import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import type { Random } from "../compat/random.ts";
import { nameOf } from "./oracle.ts";
import { type Key, type Leaf, OPERATORS, type Question, type Tree } from "./question.ts";

/** One parameter of a request. `isElement` marks one element of a list, which is escaped. */
export type Pair = readonly [name: string, value: string, isElement?: boolean];

const CLASSIC = ["gte", "lte", "ne", "like"];
const LATER = ["gt", "lt", "in", "nin", "contains", "startsWith", "endsWith", "null"];
const LISTS = ["in", "nin"];
const COMBINATIONS = ["or", "and", "not"];
const IGNORED: readonly Pair[] = [
  ["nosuch", "1"],
  ["nosuch_gt", "5"],
  ["nosuch.x_in", "a"],
  ["_nosuch", "x"],
  ["_", "1"],
];

/** Writes questions as parameters, by one of the ways there are for each part; undefined if this collection has none. */
export class Speller {
  readonly #random: Random;
  readonly #isHeld: (path: string) => boolean;
  #pairs: Pair[] = [];

  /** `isHeld` tells whether any record has a value at a path: a field of that name takes precedence over a meaning. */
  constructor(random: Random, isHeld: (path: string) => boolean) {
    const known = new Map<string, boolean>();
    this.#random = random;
    this.#isHeld = (path) => {
      const before = known.get(path);
      if (before !== undefined) return before;
      known.set(path, isHeld(path));
      return known.get(path)!;
    };
  }

  spell({ where, search, sort, part, fields, groups }: Question): Pair[] | undefined {
    this.#pairs = search === "" ? [] : [["q", search]];
    const random = this.#random;
    if (!where.every((tree) => this.#addTree(tree)) || !this.#addKeys(sort, groups)) return undefined;
    if (random.chance(0.1)) this.#pairs.push(random.pick(IGNORED));
    if (part?.kind === "page") this.#pairs.push(["_page", String(part.page)], ["_limit", String(part.size)]);
    if (part?.kind === "envelope") this.#pairs.push(["_page", String(part.page)], ["_per_page", String(part.size)]);
    if (part?.kind === "walk") this.#pairs.push(["_limit", String(part.size)]);
    if (part?.kind === "slice") {
      const { start, end } = part;
      this.#pairs.push(["_start", String(start)]);
      const isLimit = end !== undefined && random.chance(0.5);
      if (end !== undefined) this.#pairs.push(isLimit ? ["_limit", String(end - start)] : ["_end", String(end)]);
    }
    if (fields && !this.#addFields(fields)) return undefined;
    if (groups && !this.#addGroups(groups)) return undefined;
    return this.#pairs;
  }

  #has(name: string): boolean {
    return this.#pairs.some(([known]) => known === name);
  }

  #addTree(tree: Tree): boolean {
    const random = this.#random;
    const isText = tree.kind === "leaf" && random.chance(0.8);
    if (isText && this.#addLeaf(tree)) return true;
    if (tree.kind === "or" && tree.parts.length > 0 && random.chance(0.6) && this.#addAlternatives(tree.parts))
      return true;
    return this.#addWhere(tree);
  }

  #addLeaf(leaf: Leaf): boolean {
    const names = this.#namesFor(leaf).filter((name) => !this.#has(name));
    if (names.length === 0) return false;
    const name = this.#random.pick(names);
    const texts = this.#textsFor(leaf);
    if (!texts) return false;
    const isElement = LISTS.includes(leaf.operator) && texts.length > 1;
    this.#pairs.push(...texts.map((text): Pair => [name, text, isElement]));
    return true;
  }

  /** The names of a parameter that mean this condition. */
  #namesFor({ path, operator, isNegated }: Leaf): string[] {
    const names: string[] = [];
    const colon = `${path}:${isNegated ? "!" : ""}${operator}`;
    if (!this.#isHeld(colon)) names.push(colon);
    if (isNegated) return names;
    const suffix = `${path}_${operator}`;
    if (CLASSIC.includes(operator)) names.push(suffix);
    if (LATER.includes(operator) && this.#isHeld(path) && !this.#isHeld(suffix)) names.push(suffix);
    // `any[0]=5` is `any=5` as array serialisers write it.
    if (operator === "eq" && this.#isHeld(path) && !path.endsWith("]")) names.push(path);
    return names;
  }

  /** The values of a parameter; undefined if a list has one that cannot be written. */
  #textsFor({ operator, values }: Leaf): string[] | undefined {
    if (!LISTS.includes(operator)) return values as string[];
    if (values.some((value) => value === "" || value.includes("\\"))) return undefined;
    const texts = values.map((value) => value.replaceAll(",", "\\,"));
    return this.#random.chance(0.2) && texts.length > 0 ? texts : [texts.join(",")];
  }

  #addAlternatives(parts: readonly Tree[]): boolean {
    if (this.#isHeld("_or") || this.#has("_or")) return false;
    const pairs: Pair[] = [];
    for (const part of parts) {
      if (part.kind !== "leaf" || (part.values.length > 1 && !LISTS.includes(part.operator))) return false;
      const names = this.#namesFor(part);
      const texts = this.#textsFor(part);
      if (names.length === 0 || texts?.length !== 1) return false;
      pairs.push(["_or", `${this.#random.pick(names)}=${texts[0]}`]);
    }
    this.#pairs.push(...pairs);
    return true;
  }

  #addWhere(tree: Tree): boolean {
    if (this.#isHeld("_where")) return false;
    const json = this.#where(tree);
    if (json) this.#pairs.push(["_where", JSON.stringify(json)]);
    return json !== undefined;
  }

  #where(tree: Tree): JsonObject | undefined {
    if (tree.kind === "leaf") return this.#leafWhere(tree);
    if (COMBINATIONS.some((name) => this.#isHeld(name))) return undefined;
    if (tree.kind === "not") {
      const part = this.#where(tree.part);
      return part && { not: part };
    }
    const parts = tree.parts.map((part) => this.#where(part));
    if (parts.some((part) => part === undefined)) return undefined;
    const merged = tree.kind === "and" && this.#random.chance(0.6) ? merge(parts as JsonObject[]) : undefined;
    return merged ?? { [tree.kind]: parts as JsonObject[] };
  }

  #leafWhere({ path, operator, isNegated, values }: Leaf): JsonObject | undefined {
    const random = this.#random;
    const isMany = values.length !== 1;
    if (isMany && !["eq", "ne", ...LISTS].includes(operator)) {
      const parts = values.map((value) =>
        this.#leafWhere({ kind: "leaf", path, operator, isNegated: false, values: [value] }),
      );
      if (parts.some((part) => part === undefined) || COMBINATIONS.some((name) => this.#isHeld(name))) return undefined;
      const any = { or: parts as JsonObject[] };
      return isNegated ? { not: any } : any;
    }
    const list = operator === "eq" ? "in" : "nin";
    const name = isMany && !LISTS.includes(operator) ? list : operator;
    const key = `${isNegated ? "!" : ""}${name}`;
    if (this.#isHeld(`${path}.${key}`)) return undefined;
    const operands = values.map((value) => this.#operand(value));
    const isList = LISTS.includes(name);
    const operand = isList ? operands : operands[0]!;
    const isBare = !isNegated && (name === "eq" || (name === "in" && random.chance(0.5)));
    return this.#atPath(path, isBare && random.chance(0.5) ? operand : { [key]: operand });
  }

  /** A field below others may be written as objects in each other, unless its name would be taken for an operator. */
  #atPath(path: string, content: Json): JsonObject | undefined {
    const names = path.split(".");
    const isNestable = names.length > 1 && !names.some((name) => isSpecial(name)) && !path.includes("[");
    if (isSpecial(path) && COMBINATIONS.includes(path)) return undefined;
    if (!isNestable || this.#random.chance(0.5)) return { [path]: content };
    return names.reduceRight<Json>((inner, name) => ({ [name]: inner }), content) as JsonObject;
  }

  #operand(value: string): Json {
    if (this.#random.chance(0.5)) return value;
    if (value === "true" || value === "false") return value === "true";
    return value !== "" && String(Number(value)) === value && Number.isFinite(Number(value)) ? Number(value) : value;
  }

  #addKeys(sort: readonly Key[], groups: Question["groups"]): boolean {
    if (sort.length === 0) return true;
    // A name with a leading "-" is a field if any record has one of that name; groups have those they are made by.
    const isHeld = (path: string): boolean => groups?.paths.includes(path) || this.#isHeld(path);
    const isField = (path: string): boolean => !path.startsWith("-") || isHeld(path);
    const isMarkable = sort.every(({ path, isDescending }) => (isDescending ? !isHeld(`-${path}`) : isField(path)));
    if (isMarkable && this.#random.chance(0.6)) {
      this.#pairs.push(["_sort", sort.map(({ path, isDescending }) => `${isDescending ? "-" : ""}${path}`).join(",")]);
      // The marks override it.
      if (sort.every(({ isDescending }) => isDescending) && this.#random.chance(0.3))
        this.#pairs.push(["_order", "asc"]);
      return true;
    }
    if (!sort.every(({ path }) => isField(path))) return false;
    this.#pairs.push(["_sort", sort.map(({ path }) => path).join(",")]);
    this.#pairs.push(["_order", sort.map(({ isDescending }) => (isDescending ? "desc" : "asc")).join(",")]);
    return true;
  }

  #addFields({ names, isDropping }: NonNullable<Question["fields"]>): boolean {
    if (this.#isHeld("_fields")) return false;
    if (isDropping && names.some((name) => this.#isHeld(`-${name}`))) return false;
    if (!isDropping && names.some((name) => name.startsWith("-") && !this.#isHeld(name))) return false;
    this.#pairs.push(["_fields", names.map((name) => (isDropping ? `-${name}` : name)).join(",")]);
    return true;
  }

  #addGroups({ paths, columns, having }: NonNullable<Question["groups"]>): boolean {
    if (["_group", "_aggregate", "_having"].some((name) => this.#isHeld(name))) return false;
    const names = [...paths, ...columns.map(nameOf)];
    if (paths.length > 0) this.#pairs.push(["_group", paths.join(",")]);
    const isDefault = columns.length === 1 && columns[0]!.kind === "count" && paths.length > 0;
    if (!isDefault || this.#random.chance(0.5)) {
      const texts = columns.map(({ kind, path }) => (kind === "count" ? kind : `${kind}:${path}`));
      this.#pairs.push(["_aggregate", texts.join(",")]);
    }
    for (const leaf of having) {
      const name = `${leaf.path}:${leaf.isNegated ? "!" : ""}${leaf.operator}`;
      const texts = this.#textsFor(leaf);
      if (names.includes(name) || texts?.length !== 1) return false;
      this.#pairs.push(["_having", `${name}=${texts[0]}`]);
    }
    return true;
  }
}

export function toSearch(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
}

function isSpecial(name: string): boolean {
  return [...OPERATORS, ...COMBINATIONS].includes(name as "eq");
}

/** The parts in one object, all of whose entries must be met; undefined where two have the same key. */
function merge(parts: readonly JsonObject[]): JsonObject | undefined {
  const merged: JsonObject = {};
  for (const part of parts) {
    for (const [key, value] of Object.entries(part)) {
      const known = merged[key];
      if (known === undefined) merged[key] = value;
      else if (isJsonObject(known) && isJsonObject(value) && key !== "not") {
        const both = merge([known, value]);
        if (!both) return undefined;
        merged[key] = both;
      } else return undefined;
    }
  }
  return merged;
}
