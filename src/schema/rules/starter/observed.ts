import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { MAX_SCHEMAS } from "../check-schema.ts";
import { isRecognised, RECOGNISED, type Recognised } from "./recognised-formats.ts";

/** More different texts than this are no choice between a few. */
const MAX_CHOICES = 12;
const MAX_CHOICE_LENGTH = 40;
/** An object inside a record with more keys than this is a dictionary, not a structure. */
const MAX_FIELDS = 100;
const MAX_RECORD_FIELDS = 500;
/** Deeper values are described by their type alone. */
const MAX_DEPTH = 8;
/** Places that are told apart in one collection: rules have a limit, which leaves room for what people add. */
const MAX_NODES = MAX_SCHEMAS * 0.8;

/** How many places may still be told apart. Once it is used up, it stays so: a late start would miss values. */
export interface Room {
  left: number;
}

export function createRoom(): Room {
  return { left: MAX_NODES };
}

/** The facts about all values at one place. Its size depends on their structure, not on their number. */
export class Observed {
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
  readonly fields = new Map<string, Observed>();
  /** The values of objects with too many keys to be fields. */
  values: Observed | undefined;
  items: Observed | undefined;
  /** The texts and how often each was met, while they are few. */
  choices: Map<string, number> | undefined = new Map();
  /** Set where fields or items were left out. */
  isPartial = false;
  /** Set where the values of several places were put together. */
  isMerged = false;
  #formats = new Set<Recognised>(RECOGNISED);

  add(value: Json, room: Room, depth = 0): void {
    this.count++;
    if (value === null) this.nulls++;
    else if (typeof value === "boolean") this.booleans++;
    else if (typeof value === "number") this.#addNumber(value);
    else if (typeof value === "string") this.#addText(value);
    else if (Array.isArray(value)) this.#addItems(value, room, depth);
    else if (isJsonObject(value)) {
      this.objects++;
      if (depth < MAX_DEPTH) this.#addFields(value, room, depth);
      else this.isPartial = true;
    }
  }

  /** The format of all texts. */
  get format(): Recognised | undefined {
    return this.texts > 0 ? [...this.#formats][0] : undefined;
  }

  #addNumber(value: number): void {
    if (Number.isInteger(value)) this.integers++;
    else this.fractions++;
    this.numbers.add(value);
  }

  #addText(text: string): void {
    this.texts++;
    this.lengths.add(lengthOf(text));
    for (const format of this.#formats) if (!isRecognised(text, format)) this.#formats.delete(format);
    if (!this.choices) return;
    const known = this.choices.get(text);
    const isTooMany = known === undefined && (this.choices.size === MAX_CHOICES || text.length > MAX_CHOICE_LENGTH);
    if (isTooMany) this.choices = undefined;
    else this.choices.set(text, (known ?? 0) + 1);
  }

  #addItems(items: readonly Json[], room: Room, depth: number): void {
    this.arrays++;
    this.sizes.add(items.length);
    if (depth >= MAX_DEPTH) return;
    if (!this.items && room.left-- > 0) this.items = new Observed();
    if (!this.items) this.isPartial = true;
    for (const item of items) this.items?.add(item, room, depth + 1);
  }

  #addFields(object: JsonObject, room: Room, depth: number): void {
    for (const name of Object.keys(object)) {
      const field = this.values ?? this.fields.get(name) ?? this.#newField(name, room, depth);
      if (field) field.add(object[name]!, room, depth + 1);
      else this.isPartial = true;
    }
  }

  #newField(name: string, room: Room, depth: number): Observed | undefined {
    if (this.fields.size === (depth === 0 ? MAX_RECORD_FIELDS : MAX_FIELDS)) {
      this.values = new Observed();
      for (const known of this.fields.values()) this.values.#merge(known);
      this.fields.clear();
      return this.values;
    }
    if (room.left-- <= 0) return undefined;
    const field = new Observed();
    this.fields.set(name, field);
    return field;
  }

  #merge(other: Observed): void {
    this.isMerged = true;
    for (const key of ["count", "nulls", "booleans", "integers", "fractions", "texts", "objects", "arrays"] as const) {
      this[key] += other[key];
    }
    this.numbers.merge(other.numbers);
    this.lengths.merge(other.lengths);
    this.sizes.merge(other.sizes);
    this.isPartial ||= other.isPartial;
    if (other.texts > 0) this.#formats = new Set([...this.#formats].filter((format) => other.#formats.has(format)));
    this.choices = undefined;
    if (other.items) {
      this.items ??= new Observed();
      this.items.#merge(other.items);
    }
    if (this.values || other.values) this.#mergeValues(other);
    else this.#mergeFields(other);
  }

  #mergeFields({ fields }: Observed): void {
    for (const [name, field] of fields) {
      if (!this.fields.has(name)) this.fields.set(name, new Observed());
      this.fields.get(name)!.#merge(field);
    }
  }

  #mergeValues(other: Observed): void {
    const values = this.values ?? new Observed();
    const parts = [...this.fields.values(), ...other.fields.values(), ...(other.values ? [other.values] : [])];
    for (const part of parts) values.#merge(part);
    this.fields.clear();
    this.values = values;
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
