import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { FORMATS } from "../rules/formats.ts";
import { looksLikeChoice, looksLikeFreeText, looksLikeKey, looksLikeMeasure } from "./field-names.ts";

/** The formats that are recognised in data. */
const RECOGNISED = ["date-time", "date", "email", "uuid", "uri"] as const;
type Recognised = (typeof RECOGNISED)[number];

/** Longer texts have none of these formats. */
const MAX_LENGTH = 2000;
/** Forms that people mean by these names: "note:call-back" is a URI as well, and "a@b" an address. */
const USUAL: Readonly<Partial<Record<Recognised, RegExp>>> = {
  uri: /^[a-z][a-z\d+.-]*:\/\/./i,
  email: /@[^@.]+\.[^@]+$/,
};

const COLOUR = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;
/** More different texts than this are no choice between a few. */
const MAX_CHOICES = 12;
const MAX_CHOICE_LENGTH = 40;
/** How often the texts of a choice must have been met for each different one: less where the name says it is one. */
const SEEN_EACH = 5;
const SEEN_EACH_BY_NAME = 2;
/** An object with more keys than this is a dictionary, not a structure; records may have more. */
const MAX_FIELDS = 100;
const MAX_RECORD_FIELDS = 500;
/** Deeper values are described by their type alone. */
const MAX_DEPTH = 10;

const COUNTERS = ["count", "nulls", "booleans", "integers", "fractions", "texts", "objects", "arrays"] as const;

export type SchemaType = "string" | "number" | "integer" | "boolean" | "object" | "array";

/** How much of the data is looked at; counted down. */
export interface ShapeLimits {
  values: number;
  /** Places that are told apart. Once used up, it stays so: a late start would miss values. */
  places: number;
  /** The items of each list. */
  readonly items: number;
}

/** Limits that leave nothing out. */
export function noLimits(): ShapeLimits {
  return { values: Number.POSITIVE_INFINITY, places: Number.POSITIVE_INFINITY, items: Number.POSITIVE_INFINITY };
}

/**
 * The common shape of all values at one place. Types, rules, the API description and the console take it from here. Its
 * size depends on the structure of the values, not on their number.
 */
export class DataShape {
  count = 0;
  nulls = 0;
  booleans = 0;
  integers = 0;
  fractions = 0;
  texts = 0;
  objects = 0;
  arrays = 0;
  readonly numbers = new Range();
  /** In characters, as JSON Schema counts them. */
  readonly lengths = new Range();
  readonly sizes = new Range();
  /** Of objects, in the order in which they were met. */
  readonly fields = new Map<string, DataShape>();
  items: DataShape | undefined;
  /** Set where fields or items were left out. */
  isPartial = false;
  /** Set where the values of several places were put together. */
  isMerged = false;
  readonly #name: string;
  /** The values of further keys, where there are too many to be fields. */
  #others: DataShape | undefined;
  #colours = 0;
  #formats = new Set<Recognised>(RECOGNISED);
  /** The texts and how often each was met, while they are few. */
  #choices: Map<string, number> | undefined = new Map();

  /** `name` is that of the field, which tells something as well. */
  constructor(name = "") {
    this.#name = name;
  }

  add(value: Json, limits: ShapeLimits, depth = 0): void {
    if (limits.values-- <= 0) return;
    this.count++;
    if (value === null) this.nulls++;
    else if (typeof value === "boolean") this.booleans++;
    else if (typeof value === "number") this.#addNumber(Number(value));
    else if (typeof value === "string") this.#addText(value);
    else if (Array.isArray(value)) this.#addItems(value, limits, depth);
    else if (isJsonObject(value)) {
      this.objects++;
      if (depth < MAX_DEPTH) this.#addFields(value, limits, depth);
      else this.isPartial = true;
    }
  }

  /** The format that all texts have. */
  get format(): Recognised | undefined {
    return this.texts > 0 ? [...this.#formats][0] : undefined;
  }

  /** Whether all texts are colours, such as `#4f46e5`. */
  get isColour(): boolean {
    return this.texts > 0 && this.#colours === this.texts;
  }

  /** The texts that a field chooses from; undefined where it does not look like a choice. */
  get choices(): string[] | undefined {
    const met = this.#choices;
    if (!met || met.size < 2 || this.format !== undefined || this.texts < this.count - this.nulls) return undefined;
    if (looksLikeFreeText(this.#name) || looksLikeKey(this.#name)) return undefined;
    const seenEach = looksLikeChoice(this.#name) ? SEEN_EACH_BY_NAME : SEEN_EACH;
    return this.texts >= seenEach * met.size ? [...met.keys()] : undefined;
  }

  /** The types met, null apart, in the words of JSON Schema; an integer is no type of its own among fractions. */
  get types(): SchemaType[] {
    const isDecimal = this.fractions > 0 || (this.integers > 0 && looksLikeMeasure(this.#name));
    const met: [SchemaType, boolean][] = [
      ["string", this.texts > 0],
      ["number", isDecimal],
      ["integer", this.integers > 0 && !isDecimal],
      ["boolean", this.booleans > 0],
      ["object", this.objects > 0],
      ["array", this.arrays > 0],
    ];
    return met.filter(([, isMet]) => isMet).map(([type]) => type);
  }

  /** Whether objects have too many different keys for them to be fields. */
  get isDictionary(): boolean {
    return this.#others !== undefined;
  }

  /** The common shape of the values of a dictionary. */
  get values(): DataShape {
    const values = new DataShape();
    for (const one of [...this.fields.values(), ...(this.#others ? [this.#others] : [])]) values.#merge(one);
    return values;
  }

  /** Whether every object has the field. */
  isRequired(name: string): boolean {
    return this.fields.get(name)?.count === this.objects;
  }

  #addNumber(value: number): void {
    if (Number.isInteger(value)) this.integers++;
    else this.fractions++;
    this.numbers.add(value);
  }

  #addText(text: string): void {
    this.texts++;
    this.lengths.add(lengthOf(text));
    if (text.startsWith("#") && COLOUR.test(text)) this.#colours++;
    for (const format of this.#formats) if (!isRecognised(text, format)) this.#formats.delete(format);
    if (!this.#choices) return;
    const known = this.#choices.get(text);
    const isTooMany = known === undefined && (this.#choices.size === MAX_CHOICES || text.length > MAX_CHOICE_LENGTH);
    if (isTooMany) this.#choices = undefined;
    else this.#choices.set(text, (known ?? 0) + 1);
  }

  #addItems(items: readonly Json[], limits: ShapeLimits, depth: number): void {
    this.arrays++;
    this.sizes.add(items.length);
    if (!this.items && depth < MAX_DEPTH && limits.places-- > 0) this.items = new DataShape(this.#name);
    if (!this.items) this.isPartial = true;
    else for (const item of items.slice(0, limits.items)) this.items.add(item, limits, depth + 1);
  }

  #addFields(object: JsonObject, limits: ShapeLimits, depth: number): void {
    for (const name of Object.keys(object)) {
      const field = this.fields.get(name) ?? this.#newField(name, limits, depth);
      if (field) field.add(object[name]!, limits, depth + 1);
      else this.isPartial = true;
    }
  }

  #newField(name: string, limits: ShapeLimits, depth: number): DataShape | undefined {
    if (this.fields.size === (depth === 0 ? MAX_RECORD_FIELDS : MAX_FIELDS)) {
      this.#others ??= new DataShape();
      return this.#others;
    }
    if (limits.places-- <= 0) return undefined;
    const field = new DataShape(name);
    this.fields.set(name, field);
    return field;
  }

  #merge(other: DataShape): void {
    this.isMerged = true;
    for (const counter of COUNTERS) this[counter] += other[counter];
    for (const range of ["numbers", "lengths", "sizes"] as const) this[range].merge(other[range]);
    this.#colours += other.#colours;
    this.isPartial ||= other.isPartial;
    if (other.texts > 0) this.#formats = new Set([...this.#formats].filter((format) => other.#formats.has(format)));
    this.#choices = undefined;
    if (other.items) {
      this.items ??= new DataShape();
      this.items.#merge(other.items);
    }
    if (other.#others) {
      this.#others ??= new DataShape();
      this.#others.#merge(other.#others);
    }
    for (const [name, field] of other.fields) {
      const own = this.fields.get(name) ?? new DataShape(name);
      this.fields.set(name, own);
      own.#merge(field);
    }
  }
}

/** The least and the greatest of several numbers. */
class Range {
  least = Number.POSITIVE_INFINITY;
  greatest = Number.NEGATIVE_INFINITY;

  add(value: number): void {
    if (value < this.least) this.least = value;
    if (value > this.greatest) this.greatest = value;
  }

  merge({ least, greatest }: Range): void {
    this.least = Math.min(this.least, least);
    this.greatest = Math.max(this.greatest, greatest);
  }
}

/** Characters, of which one beyond the basic plane counts once. */
function lengthOf(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++, length++) {
    const code = text.charCodeAt(at);
    if (code >= 0xd800 && code <= 0xdbff && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) at++;
  }
  return length;
}

function isRecognised(text: string, format: Recognised): boolean {
  if (text.length > MAX_LENGTH) return false;
  return (USUAL[format]?.test(text) ?? true) && (FORMATS.get(format)?.test(text) ?? true);
}
