import { isJsonObject, type Json, type JsonObject, setField } from "../../base/json/json.ts";
import { DataShape, noLimits, type ShapeLimits } from "../inference/data-shape.ts";
import { looksLikeKey } from "../inference/field-names.ts";
import { inferredSchema } from "../inference/inferred-schema.ts";
import { type NamedRelation, namedRelations, SUFFIXES } from "../named-relations.ts";
import { MAX_SCHEMAS } from "./check-schema.ts";
import { FILE_KEYS } from "./read-rules.ts";
import { type Memory, ValueSet } from "./value-set.ts";

/** Values of keys that are remembered, 16 bytes each. */
const MAX_KEY_VALUES = 8_000_000;
/** Fields that may be keys in one collection. */
const MAX_KEYS = 100;
/** Places that are told apart in one collection: rules have a limit, which leaves room for what people add. */
const MAX_PLACES = MAX_SCHEMAS * 0.8;

export interface StarterOptions {
  readonly idKeyOf: (collection: string) => string;
  /** The end of foreign keys; the usual ones unless given. */
  readonly foreignKeySuffix: string | undefined;
  readonly ranges: boolean;
  /** Adds patterns for colours. */
  readonly colours?: boolean;
  /** Told why a rule that one might expect is missing. */
  readonly note?: ((text: string) => void) | undefined;
}

/** The facts about one collection or singleton. */
interface Seen {
  readonly name: string;
  readonly isCollection: boolean;
  readonly shape: DataShape;
  readonly keys: ReadonlyMap<string, KeyValues>;
}

/** The facts about the records of all collections, from which `finish` makes rules that these records pass. */
export class StarterRules {
  readonly #options: StarterOptions;
  readonly #suffixes: readonly string[];
  readonly #memory: Memory = { left: MAX_KEY_VALUES };
  readonly #seen: Seen[] = [];

  constructor(options: StarterOptions) {
    this.#options = options;
    this.#suffixes = options.foreignKeySuffix === undefined ? SUFFIXES : [options.foreignKeySuffix];
  }

  async addCollection(name: string, records: Iterable<Json> | AsyncIterable<Json>): Promise<void> {
    const shape = new DataShape();
    const limits = rulesLimits();
    const keys = new Map<string, KeyValues>();
    const idKey = this.#options.idKeyOf(name);
    for await (const record of records) {
      shape.add(record, limits);
      if (isJsonObject(record)) this.#addKeys(record, keys, idKey);
    }
    this.#seen.push({ name, isCollection: true, shape, keys });
  }

  addSingleton(name: string, value: Json): void {
    const shape = new DataShape();
    shape.add(value, rulesLimits());
    this.#seen.push({ name, isCollection: false, shape, keys: new Map() });
  }

  /** The content of a rules file. */
  finish(): JsonObject {
    const collections = this.#seen
      .filter(({ isCollection }) => isCollection)
      .map(({ name, shape }) => ({ name, idKey: this.#options.idKeyOf(name), fields: shape.fields }));
    const relations = namedRelations(collections, this.#options);
    const rules: JsonObject = {};
    for (const one of this.#seen) {
      if (isPossibleName(one.name)) setField(rules, one.name, this.#rulesFor(one, relations));
      else this.#options.note?.(`${JSON.stringify(one.name)} cannot have rules: the name means something else there.`);
    }
    return rules;
  }

  #addKeys(record: JsonObject, keys: Map<string, KeyValues>, idKey: string): void {
    for (const name of Object.keys(record)) {
      let values = keys.get(name);
      if (!values) {
        const isReference = name === idKey || this.#suffixes.some((suffix) => isForeign(name, suffix));
        if ((!isReference && !looksLikeKey(name)) || keys.size === MAX_KEYS) continue;
        values = new KeyValues(this.#memory, isReference);
        keys.set(name, values);
      }
      values.add(record[name]!);
    }
  }

  #rulesFor(one: Seen, relations: readonly NamedRelation[]): JsonObject {
    const { shape, keys, name } = one;
    const outgoing = relations.filter(({ from }) => from === name);
    const foreign = outgoing.map(({ field }) => field);
    const schema =
      shape.count === 0
        ? { type: "object" }
        : inferredSchema(shape, {
            ranges: this.#options.ranges,
            colours: this.#options.colours ?? false,
            keys: new Set([this.#options.idKeyOf(name), ...foreign]),
          });
    const unique = [...keys].flatMap(([field, values]) =>
      isUnique(values, shape) && !foreign.includes(field) ? [field] : [],
    );
    const references = outgoing.filter((relation) => this.#holds(relation, keys)).map(({ field, to }) => [field, to]);
    return {
      ...schema,
      ...(unique.length > 0 && { "x-unique": unique }),
      ...(references.length > 0 && { "x-references": Object.fromEntries(references) as JsonObject }),
    };
  }

  /** Whether every key has its record. */
  #holds({ from, field, to }: NamedRelation, keys: ReadonlyMap<string, KeyValues>): boolean {
    const values = keys.get(field)?.set;
    const ids = this.#seen.find(({ name }) => name === to)?.keys.get(this.#options.idKeyOf(to))?.set;
    if (values && (values.size === 0 || ids?.includes(values))) return true;
    this.#options.note?.(
      ids && values
        ? `${from}.${field}: some values have no record in ${to}, so there is no reference rule for it.`
        : `${from}.${field}: there are too many values, or other values than texts and numbers, to prove a reference.`,
    );
    return false;
  }
}

function rulesLimits(): ShapeLimits {
  return { ...noLimits(), places: MAX_PLACES };
}

/** Keys of a rules file that are not collections. */
function isPossibleName(name: string): boolean {
  return !name.startsWith("/") && !FILE_KEYS.includes(name);
}

function isForeign(name: string, suffix: string): boolean {
  return name.length > suffix.length && (name.endsWith(suffix) || name.endsWith(`${suffix}s`));
}

/** Every record has a value of its own. */
function isUnique({ isDistinct, count, set }: KeyValues, { count: records }: DataShape): boolean {
  return isDistinct && set !== undefined && count === records && records > 1;
}

/** The values of a field that may be a key: whether all differ, and which there are. */
class KeyValues {
  /** Records that have a value here, null apart. */
  count = 0;
  isDistinct = true;
  /** The values as texts; undefined once they are not needed, too many or of no use as a key. */
  set: ValueSet | undefined = new ValueSet();
  readonly #memory: Memory;
  readonly #isSetNeeded: boolean;

  /** `isSetNeeded`: also if values come twice, as those of references do. */
  constructor(memory: Memory, isSetNeeded: boolean) {
    this.#memory = memory;
    this.#isSetNeeded = isSetNeeded;
  }

  /** Adds a value, or each item of a list. */
  add(value: Json): void {
    if (value === null) return;
    this.count++;
    if (!this.set) return;
    if (Array.isArray(value)) for (const item of value) this.#addOne(item);
    else this.#addOne(value);
  }

  #addOne(value: Json): void {
    if (!this.set) return;
    if (typeof value !== "string" && typeof value !== "number") this.#giveUp();
    else if (this.set.add(String(value))) {
      if (this.#memory.left-- <= 0) this.#giveUp();
    } else if (this.#isSetNeeded) this.isDistinct = false;
    else this.#giveUp();
  }

  #giveUp(): void {
    this.#memory.left += this.set?.size ?? 0;
    this.set = undefined;
    this.isDistinct = false;
  }
}

const MAX_LINE = 100;
/** Keywords whose schema reads well beside the others. */
const OF_MEMBERS = ["items", "additionalProperties"];

/** Renders rules as a person would write them: what is short stays on one line. */
export function renderRules(value: Json, indent = "", taken = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inside = `${indent}  `;
  if (Array.isArray(value)) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
    if (fits(line, indent, taken) && value.every((item) => typeof item !== "object" || item === null)) return line;
    return `[\n${value.map((item) => inside + renderRules(item, inside)).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  const parts = entries.map(([key, inner]) => {
    const head = `${JSON.stringify(key)}: `;
    return head + renderRules(inner, inside, head.length);
  });
  const line = `{ ${parts.join(", ")} }`;
  const isStructure = entries.some(([key, inner]) => isJsonObject(inner) && !OF_MEMBERS.includes(key));
  if (fits(line, indent, taken) && !line.includes("\n") && !isStructure) return line;
  return `{\n${parts.map((part) => inside + part).join(",\n")}\n${indent}}`;
}

function fits(line: string, indent: string, taken: number): boolean {
  return indent.length + taken + line.length <= MAX_LINE;
}
