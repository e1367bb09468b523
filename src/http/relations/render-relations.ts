import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import { inSlices, STEP, type Work } from "../../base/slices.ts";
import { textOf } from "../../query/text.ts";
import { keyTexts } from "../../store/key-texts.ts";
import { type Key, MAX_RELATED, type Reads } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { directRelation, type Link, type PlannedRelation } from "./plan-relations.ts";

/** Records to serialise between two possible pauses. */
const LIGHT_STEP = 8;
/** The most characters of the records that are added: a long one counts once for each that leads to it. */
const MAX_LENGTH = 128 * 2 ** 20;

type Groups = ReadonlyMap<string, readonly StoredRecord[]>;

interface Rendering {
  readonly plan: readonly PlannedRelation[];
  readonly records: readonly StoredRecord[];
  /** The results of `simpleRelations`, if the store has found them already. */
  readonly related?: readonly Groups[] | undefined;
  /** Reduces each record, with its relations, to the requested fields. */
  readonly project?: ((value: Json) => Json) | undefined;
}

/** The JSON text of each record, with the related records of the plan in it. Pauses for other requests. */
export async function renderWithRelations(
  store: Reads,
  { plan, records, related = [], project }: Rendering,
): Promise<string[]> {
  const values = await inSlices(copies(records));
  const level = { values: values.filter(isJsonObject), times: undefined };
  const adding = new Adding(store);
  const found = related.values();
  for (const relation of plan) {
    const { link } = relation;
    await adding.add(
      level,
      relation,
      related.length > 0 && link && directRelation(link) ? found.next().value : undefined,
    );
  }
  return inSlices(texts(values, project));
}

function* copies(records: readonly StoredRecord[]): Work<Json[]> {
  const values: Json[] = [];
  for (const { value } of records) {
    values.push(isJsonObject(value) ? { ...value } : value);
    if (values.length % STEP === 0) yield;
  }
  return values;
}

function* texts(values: readonly Json[], project: Rendering["project"] = (value) => value): Work<string[]> {
  const rendered: string[] = [];
  for (const value of values) {
    if (rendered.push(stringifyJson(project(value))) % LIGHT_STEP === 0) yield;
  }
  return rendered;
}

function tooMuch(what: string): StandinError {
  return new StandinError("EMBED_TOO_LARGE", `_embed and _expand would ${what}. Use _limit, a filter or fewer levels.`);
}

/**
 * Records of one level, and how often the response contains each of them; once if that is undefined. A record that several
 * others lead to is one object, so that its own relations are looked up once.
 */
interface Level {
  readonly values: readonly JsonObject[];
  readonly times: readonly number[] | undefined;
}

/** Adds relations to records, level by level, and counts what the response gets by that. */
class Adding {
  readonly #store: Reads;
  #count = 0;
  #length = 0;

  constructor(store: Reads) {
    this.#store = store;
  }

  async add(level: Level, { parameter, name, link, below }: PlannedRelation, known: Groups | undefined): Promise<void> {
    if (level.values.length === 0) return;
    if (!link) {
      if (parameter === "_embed") for (const value of level.values) define(value, name, []);
      return;
    }
    const groups = known ?? (await this.#find(link, await inSlices(textsOf(level.values, link.from))));
    const next = await inSlices(this.#attach(level, { name, link, groups, hasMore: below.length > 0 }));
    for (const relation of below) await this.add(next, relation, undefined);
  }

  async #find({ collection, to }: Link, values: ReadonlySet<string>): Promise<Groups> {
    const [first, ...others] = await Promise.all(to.map((key) => this.#store.related(collection, key, values)));
    return others.reduce(union, first ?? new Map());
  }

  /** Returns the records that were added, to be added to in turn. */
  *#attach({ values, times }: Level, { name, link, groups, hasMore }: Attachment): Work<Level> {
    const next = new NextLevel();
    let steps = 0;
    for (let at = 0; at < values.length; at++) {
      const value = values[at]!;
      const records = linkedTo(value, link.from, groups);
      if (++steps % STEP === 0) yield;
      const often = times ? times[at]! : 1;
      this.#countIn(link.isOne ? records?.slice(0, 1) : records, often);
      if (link.isOne) {
        const record = records?.[0];
        if (record) define(value, name, hasMore ? next.take(record, often) : record.value);
        continue;
      }
      // A record without a list of ids gets none of what they would lead to.
      if (!records && link.from.isList) continue;
      const added: Json[] = [];
      for (const record of records ?? []) {
        added.push(hasMore ? next.take(record, often) : record.value);
        if (++steps % STEP === 0) yield;
      }
      define(value, name, added);
    }
    return next;
  }

  /** Counts before anything is copied or written. */
  #countIn(records: readonly StoredRecord[] = [], times: number): void {
    this.#count += records.length * times;
    if (this.#count > MAX_RELATED) throw tooMuch(`add more than ${MAX_RELATED.toLocaleString("en-US")} records`);
    for (const { text } of records) this.#length += text.length * times;
    if (this.#length > MAX_LENGTH) throw tooMuch(`result in more than ${MAX_LENGTH} characters`);
  }
}

interface Attachment {
  readonly name: string;
  readonly link: Link;
  readonly groups: Groups;
  /** Whether the added records get relations themselves. */
  readonly hasMore: boolean;
}

/** Collects the records of the next level: copies, to which relations can be added. */
class NextLevel implements Level {
  readonly values: JsonObject[] = [];
  readonly times: number[] = [];
  readonly #positions = new Map<number, number>();

  take({ value, slot }: StoredRecord, times: number): Json {
    if (!isJsonObject(value)) return value;
    const known = this.#positions.get(slot);
    if (known !== undefined) {
      this.times[known]! += times;
      return this.values[known]!;
    }
    const copy = { ...value };
    this.#positions.set(slot, this.values.push(copy) - 1);
    this.times.push(times);
    return copy;
  }
}

/** The records that a value leads to by a key; undefined if it has no such key. */
function linkedTo(value: JsonObject, key: Key, groups: Groups): readonly StoredRecord[] | undefined {
  if (!hasField(value, key)) return undefined;
  if (!key.isList) return groups.get(textOf(value[key.field]!)) ?? [];
  return keyTexts(value, key).flatMap((id) => groups.get(id) ?? []);
}

function* textsOf(values: Iterable<JsonObject>, key: Key): Work<Set<string>> {
  const found = new Set<string>();
  let steps = 0;
  for (const value of values) {
    if (key.isList) for (const text of keyTexts(value, key)) found.add(text);
    else if (hasField(value, key)) found.add(textOf(value[key.field]!));
    if (++steps % STEP === 0) yield;
  }
  return found;
}

/** Joins groups of the same collection: each record once, in the order of the data. */
function union(first: Groups, second: Groups): Groups {
  const joined = new Map(first);
  for (const [text, records] of second) {
    const bySlot = new Map([...(joined.get(text) ?? []), ...records].map((record) => [record.slot, record]));
    joined.set(
      text,
      [...bySlot.values()].sort((a, b) => a.slot - b.slot),
    );
  }
  return joined;
}

function hasField(value: JsonObject, { field }: Key): boolean {
  return Object.hasOwn(value, field) && value[field] !== undefined && value[field] !== null;
}

/** The name comes from the request, so it must never reach a setter such as `__proto__`. */
function define(record: JsonObject, name: string, value: Json): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}
