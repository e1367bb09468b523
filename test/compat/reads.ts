import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import { type Question, question } from "./question.ts";
import type { Random } from "./random.ts";

/** Questions that change nothing, about this database: most of them sensible, some of them not. */
export class ReadGenerator {
  readonly #random: Random;
  readonly #names: string[];
  readonly #collections: Map<string, Known>;

  constructor(random: Random, data: JsonObject) {
    this.#random = random;
    this.#names = Object.keys(data).filter((name) => /^[\w$]+$/.test(name));
    this.#collections = new Map(
      Object.entries(data).flatMap(([name, member]) => (Array.isArray(member) ? [[name, knownOf(member)]] : [])),
    );
  }

  *take(count: number): Generator<Question> {
    for (let left = count; left > 0; left--) yield this.#next();
  }

  #next(): Question {
    const random = this.#random;
    const { path, listed } = this.#place();
    const parameters = listed ? this.#listParameters(listed) : this.#relations();
    if (random.chance(0.03)) parameters.push(["callback", random.pick(["f", "a.b[0]", "a-b", ""])]);
    if (random.chance(0.02)) parameters.push(["_delay", random.pick(["1", "", "2.5", "x"])]);
    const search = parameters.map(([key, value]) => `${this.#escape(key)}=${this.#escape(value)}`).join("&");
    const slash = random.chance(0.03) ? "/" : "";
    return question(random.chance(0.06) ? "HEAD" : "GET", path + slash + (search === "" ? "" : `?${search}`));
  }

  /** A path, and what is known of the collection it lists, if it lists one. */
  #place(): { path: string; listed?: Known } {
    const random = this.#random;
    const name = random.pick(this.#names);
    const known = this.#knownOf(name);
    const written = random.chance(0.03) ? name.toUpperCase() : name;
    const kind = random.next();
    if (kind < 0.74) return { path: `/${written}`, listed: known };
    if (kind < 0.84) return { path: `/${written}/${this.#id(known.ids)}` };
    if (kind < 0.95) {
      const child = random.pick(this.#names);
      return { path: `/${written}/${this.#id(known.ids)}/${child}`, listed: this.#knownOf(child) };
    }
    return { path: random.pick(oddPaths(name)), listed: known };
  }

  #knownOf(name: string): Known {
    return this.#collections.get(name) ?? NOTHING_KNOWN;
  }

  #id(ids: readonly string[]): string {
    const random = this.#random;
    if (ids.length === 0 || random.chance(0.15)) return encodeURIComponent(random.pick(ODD_IDS));
    const id = random.pick(ids);
    return random.chance(0.05) ? percentEncoded(id) : encodeURIComponent(id);
  }

  #relations(): [string, string][] {
    const random = this.#random;
    const parameters: [string, string][] = [];
    const names = [...this.#names, "nope", "", "a,b"];
    if (random.chance(0.12)) {
      for (const name of random.several(names, 1, 2)) parameters.push(["_embed", name]);
      if (random.chance(0.1)) parameters.push(["_embed", random.several(names, 2, 2).join(",")]);
    }
    if (random.chance(0.12)) {
      const singular = this.#names.map((name) => name.replace(/ies$/, "y").replace(/xes$/, "x").replace(/s$/, ""));
      for (const name of random.several([...singular, "nope", ...names], 1, 2)) parameters.push(["_expand", name]);
    }
    return parameters;
  }

  #listParameters(known: Known): [string, string][] {
    const random = this.#random;
    const parameters: [string, string][] = [];
    if (random.chance(0.7))
      for (let count = random.int(1, 3); count > 0; count--) parameters.push(...this.#filter(known));
    if (random.chance(0.12)) parameters.push(["q", this.#piece(known.texts)]);
    if (random.chance(0.3)) parameters.push(...this.#sort(known));
    if (random.chance(0.35)) parameters.push(...this.#window());
    parameters.push(...this.#relations());
    if (random.chance(0.05)) parameters.push(random.pick(EXTRAS));
    if (random.chance(0.02))
      // A field of that very name is not one that brackets find.
      return parameters.map(([name, value]) => [
        name.startsWith("a.b") ? name : name.replace(/\.([a-z\d]\w*?)(?=\.|_(?:gte|lte|ne|like)$|$)/g, "[$1]"),
        value,
      ]);
    return random.chance(0.3) ? shuffled(parameters, random) : parameters;
  }

  #filter({ paths, texts }: Known): [string, string][] {
    const random = this.#random;
    const isKnown = paths.size > 0 && !random.chance(0.1);
    const path = isKnown ? random.pick([...paths.keys()]) : random.pick(ODD_PATHS);
    const own = paths.get(path) ?? texts;
    const operator = random.pick(["", "", "", "_gte", "_lte", "_ne", "_like"]);
    const repeats = random.chance(0.15) ? random.int(2, 4) : 1;
    return Array.from({ length: repeats }, () => [
      path + operator,
      operator === "_like" ? this.#pattern(own) : this.#value(own, texts),
    ]);
  }

  #value(own: readonly string[], all: readonly string[]): string {
    const random = this.#random;
    if (own.length > 0 && random.chance(0.75)) return random.pick(own);
    if (all.length > 0 && random.chance(0.3)) return random.pick(all);
    return random.pick(ODD_VALUES);
  }

  #pattern(texts: readonly string[]): string {
    const random = this.#random;
    if (random.chance(0.25)) return random.pick(PATTERNS);
    const piece = this.#piece(texts);
    const escaped = random.chance(0.8) ? piece.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : piece;
    const cased = random.chance(0.3) ? (random.chance(0.5) ? escaped.toUpperCase() : escaped.toLowerCase()) : escaped;
    return random.pick([cased, cased, cased, `^${cased}`, `${cased}$`, `^${cased}$`, `(${cased}|x)`, `${cased}.*`]);
  }

  /** A piece of one of the texts, perhaps in another case. */
  #piece(texts: readonly string[]): string {
    const random = this.#random;
    const text = texts.length > 0 && random.chance(0.9) ? random.pick(texts) : random.pick(ODD_VALUES);
    const from = random.int(0, Math.max(0, text.length - 1));
    const piece = text.slice(from, from + random.int(1, 6));
    return random.chance(0.2) ? piece.toUpperCase() : piece;
  }

  #sort({ paths }: Known): [string, string][] {
    const random = this.#random;
    const names = random.several([...paths.keys(), "nope", "name.0", "", "id", "name"], 1, 2);
    const parameters: [string, string][] = [["_sort", names.join(",")]];
    if (random.chance(0.7)) parameters.push(["_order", random.several(ORDERS, 1, 2).join(",")]);
    if (random.chance(0.03)) parameters.push(["_sort", "id"]);
    return parameters;
  }

  #window(): [string, string][] {
    const random = this.#random;
    const number = (max: number): string =>
      random.chance(0.12) ? random.pick(ODD_NUMBERS) : String(random.int(random.chance(0.1) ? -max : 0, max));
    const kinds = random.pick([
      ["_page"],
      ["_page", "_limit"],
      ["_page", "_limit"],
      ["_limit"],
      ["_start", "_end"],
      ["_start", "_limit"],
      ["_start"],
      ["_end"],
      ["_page", "_start", "_end"],
      ["_limit", "_end"],
    ]);
    return kinds.map((name) => [name, number(name === "_page" ? 5 : 12)]);
  }

  /** Clients escape more or less than they must; what matters to the address itself is always escaped. */
  #escape(text: string): string {
    const random = this.#random;
    const way = random.next();
    if (way < 0.7) return encodeURIComponent(text);
    if (way < 0.85) return encodeURIComponent(text).replaceAll("%20", "+");
    if (way < 0.97 || text.startsWith("_")) return encodeURI(text).replace(/[#&=+?]/g, encodeURIComponent);
    return percentEncoded(text);
  }
}

/** A generator's knowledge of a collection: the ids, every path with the texts found there, and all texts. */
interface Known {
  readonly ids: readonly string[];
  readonly paths: ReadonlyMap<string, readonly string[]>;
  readonly texts: readonly string[];
}

const NOTHING_KNOWN: Known = { ids: [], paths: new Map(), texts: [] };

function knownOf(records: readonly Json[]): Known {
  const paths = new Map<string, string[]>();
  const visit = (value: Json, path: readonly string[]): void => {
    if (path.length > 0) {
      const spellings = [path, path.filter((step) => !/^\d+$/.test(step))];
      for (const name of new Set(spellings.map((steps) => steps.join(".")))) {
        const texts = paths.get(name) ?? [];
        if (value !== null) texts.push(String(value));
        paths.set(name, texts);
      }
    }
    if (typeof value === "object" && value !== null) {
      for (const [key, part] of Object.entries(value)) visit(part as Json, [...path, key]);
    }
  };
  for (const record of records) visit(record, []);
  const ids = records.flatMap((record) => (isJsonObject(record) && record.id != null ? [String(record.id)] : []));
  return { ids, paths, texts: [...paths.values()].flat() };
}

function oddPaths(name: string): string[] {
  return [
    "/db",
    "/nope",
    "/nope/1",
    "/nope/1/nope",
    `/nope/1/${name}`,
    `/${name}/1/2/3`,
    `/${name}x`,
    `/${percentEncoded(name)}`,
    `/${name}//1`,
    `//${name}`,
    `/${name}/%zz`,
    "/__rules",
    "/db/1",
  ];
}

const ODD_IDS = ["0", "01", "1.0", " 1", "nope", "99", "constructor", "__proto__", "null", "undefined", "-1", "1e0"];
const ODD_PATHS = [
  "nope",
  "nope.deeper",
  "name.length",
  "tags.length",
  "name.0",
  "name.deeper",
  "id.0",
  ".name",
  "name.",
  "a..b",
  "",
  "0",
  "length",
  "constructor",
  "constructor.name",
  "__proto__",
  "toString",
  "Name",
  "ID",
];
const ODD_VALUES = [
  "",
  " ",
  "null",
  "undefined",
  "NaN",
  "true",
  "false",
  "0",
  "-1",
  "1e3",
  "0x10",
  "1.0",
  " 10 ",
  "%",
  "é",
  "[object Object]",
  "red,Blue",
];
const ODD_NUMBERS = ["", "0", "-1", "x", "2x", "1.5", "01", " 2", "+3", "1e1", "NaN", "1000"];
const ORDERS = ["asc", "desc", "desc", "DESC", "Asc", "up", ""];
const EXTRAS: [string, string][] = [
  ["_", "1700000000"],
  ["utm_source", "x"],
  ["homepage", "1"],
  ["foo[bar]", "1"],
  ["id[]", "1"],
  ["_nope", "1"],
  ["_like", "x"],
  ["_gte", "1"],
];
const PATTERNS = [
  "",
  ".",
  "^",
  "$",
  ".*",
  "a.c",
  "^[a-m]",
  "[^a-z]",
  "\\d+",
  "\\w\\s\\w",
  "\\bs",
  "(a|e)",
  "a{2}",
  "o{1,2}",
  "[0-9]{2,}",
  "e?s$",
  "x*",
  "(?:a)b",
  "\\.",
  "\\/",
  "[aeiou]{2}",
  "\\u0041",
  "\\x41",
  "[\\w.]+",
  "a|",
  "()",
  "(",
  "[",
  "*",
  "a{",
  "\\",
  "(?=a)",
  "(?!a)",
  "(a)\\1",
  "(?<=a)b",
  "+",
  "]",
  "}",
  "a{,2}",
  "\\s",
  "\\S+",
  "[\\s.]",
  "e.b",
  "^?",
  "(?i)a",
  "(?P<n>a)",
  "[[:alpha:]]",
  "\\A",
  "\\z",
  "\\pL",
  "\\p{L}",
  "\\Q",
  "\\é",
  "[\\b]",
  "[^]",
  "[]",
];

function percentEncoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((element) => ({ element, place: random.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ element }) => element);
}
