import { ExactNumber } from "../../base/json/exact/exact-number.ts";
import { isJsonObject, type Json } from "../../base/json/json.ts";

/** Formats of text that are recognised. */
const FORMATS = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/,
  uri: /^[a-z][a-z\d+.-]*:\/\/\S+$/i,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
} as const;
export type Format = keyof typeof FORMATS;
const COLOUR = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;
/** Longer texts have none of these forms. */
const MAX_FORMATTED = 2000;

/** A field with few values, each of which comes again and again, is a choice between them. */
const MAX_CHOICES = 8;
const MAX_CHOICE_LENGTH = 40;
const MIN_SEEN_EACH = 5;
/** An object with more keys than this is no record but a dictionary. */
const MAX_FIELDS = 300;
const MAX_ITEMS = 100;
const MAX_DEPTH = 10;

export type SchemaType = "string" | "number" | "integer" | "boolean" | "object" | "array";

/** How many values may still be looked at: work on large data is bounded. */
export interface Budget {
  left: number;
}

/** The common shape of several values: how many of each type, the formats of texts, the fields of objects. */
export class Shape {
  count = 0;
  nulls = 0;
  booleans = 0;
  integers = 0;
  fractions = 0;
  /** The greatest integer, sign apart. */
  largest = 0;
  texts = 0;
  objects = 0;
  arrays = 0;
  /** Texts that are colours, such as `#4f46e5`. */
  #colours = 0;
  /** Of objects, in the order in which they were met. */
  readonly fields = new Map<string, Shape>();
  /** Set where objects have too many different keys for them to be fields. */
  isDictionary = false;
  /** Of arrays. */
  items: Shape | undefined;
  #formats = new Set(Object.keys(FORMATS) as Format[]);
  #choices: Map<string, number> | undefined = new Map();

  add(value: Json, budget: Budget, depth = 0): void {
    if (budget.left-- <= 0) return;
    this.count++;
    if (value === null) this.nulls++;
    else if (typeof value === "boolean") this.booleans++;
    else if (typeof value === "number" || value instanceof ExactNumber) this.#addNumber(Number(value));
    else if (typeof value === "string") this.#addText(value);
    else if (Array.isArray(value)) {
      this.arrays++;
      this.items ??= new Shape();
      if (depth < MAX_DEPTH) for (const item of value.slice(0, MAX_ITEMS)) this.items.add(item, budget, depth + 1);
    } else if (isJsonObject(value)) {
      this.objects++;
      if (depth < MAX_DEPTH) this.#addFields(value, budget, depth);
    }
  }

  /** The form that all texts have. */
  get format(): Format | undefined {
    return this.texts > 0 ? [...this.#formats][0] : undefined;
  }

  /** Whether all texts are colours. */
  get isColour(): boolean {
    return this.texts > 0 && this.#colours === this.texts;
  }

  /** The texts that a field chooses from; undefined where it does not look like a choice. */
  get choices(): string[] | undefined {
    if (!this.#choices || this.format !== undefined || this.texts < this.count - this.nulls) return undefined;
    const counts = [...this.#choices.values()];
    return counts.length > 1 && counts.every((count) => count >= MIN_SEEN_EACH) ? [...this.#choices.keys()] : undefined;
  }

  /** The types met, null apart, in the words of JSON Schema; an integer is no type of its own among fractions. */
  get types(): SchemaType[] {
    const met: [SchemaType, number][] = [
      ["string", this.texts],
      ["number", this.fractions],
      ["integer", this.fractions > 0 ? 0 : this.integers],
      ["boolean", this.booleans],
      ["object", this.objects],
      ["array", this.arrays],
    ];
    return met.filter(([, count]) => count > 0).map(([type]) => type);
  }

  /** Whether all values are objects with fields. */
  get isRecord(): boolean {
    return this.objects > 0 && this.objects === this.count && !this.isDictionary;
  }

  /** The common shape of the values of a dictionary. */
  get values(): Shape {
    const values = new Shape();
    for (const field of this.fields.values()) values.#merge(field);
    return values;
  }

  /** Whether every object has the field. */
  isRequired(name: string): boolean {
    return this.fields.get(name)?.count === this.objects;
  }

  #addNumber(value: number): void {
    if (!Number.isInteger(value)) this.fractions++;
    else {
      this.integers++;
      this.largest = Math.max(this.largest, Math.abs(value));
    }
  }

  #addText(text: string): void {
    this.texts++;
    if (text.startsWith("#") && COLOUR.test(text)) this.#colours++;
    for (const format of this.#formats) {
      if (!hasFormat(text, format)) this.#formats.delete(format);
    }
    if (!this.#choices) return;
    const known = this.#choices.get(text);
    if (known === undefined && (this.#choices.size === MAX_CHOICES || text.length > MAX_CHOICE_LENGTH)) {
      this.#choices = undefined;
    } else this.#choices.set(text, (known ?? 0) + 1);
  }

  #addFields(value: Record<string, Json>, budget: Budget, depth: number): void {
    for (const name of Object.keys(value)) {
      let field = this.fields.get(name);
      if (!field) {
        if (this.fields.size === MAX_FIELDS) {
          this.isDictionary = true;
          return;
        }
        field = new Shape();
        this.fields.set(name, field);
      }
      field.add(value[name]!, budget, depth + 1);
    }
  }

  #merge(other: Shape): void {
    for (const key of ["count", "nulls", "booleans", "integers", "fractions", "texts", "objects", "arrays"] as const) {
      this[key] += other[key];
    }
    this.#colours += other.#colours;
    this.largest = Math.max(this.largest, other.largest);
    this.isDictionary ||= other.isDictionary;
    if (other.texts > 0) this.#formats = new Set([...this.#formats].filter((format) => other.#formats.has(format)));
    this.#choices = undefined;
    if (other.items) {
      this.items ??= new Shape();
      this.items.#merge(other.items);
    }
    for (const [name, field] of other.fields) {
      if (!this.fields.has(name)) this.fields.set(name, new Shape());
      this.fields.get(name)!.#merge(field);
    }
  }
}

function hasFormat(text: string, format: Format): boolean {
  if (text.length > MAX_FORMATTED || !FORMATS[format].test(text)) return false;
  return !format.startsWith("date") || isDate(text);
}

/** A day that there was or will be: the 31st of February is not read back as itself. */
function isDate(text: string): boolean {
  const day = text.slice(0, 10);
  const read = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(Date.parse(text)) && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day);
}
