import { StandinError } from "../../errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { stringifyInPieces } from "../../large-json/stringify.ts";
import { inSlices, STEP, type Work } from "../../slices.ts";
import { keyTexts } from "../../store/key-texts.ts";
import { type Key, MAX_RELATED, type Store } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { isDirect, type Link, type PlannedRelation } from "./plan-relations.ts";

/** With no more related records than this, each record can be serialised at once. */
const MAX_LIGHT = 1000;

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
  store: Store,
  { plan, records, related = [], project }: Rendering,
): Promise<string[]> {
  const values = await inSlices(copies(records));
  const level = new Map<JsonObject, number>();
  for (const value of values) if (isJsonObject(value)) level.set(value, 1);
  const adding = new Adding(store);
  const found = related.values();
  for (const relation of plan) {
    const { link } = relation;
    await adding.add(level, relation, related.length > 0 && link && isDirect(link) ? found.next().value : undefined);
  }
  return inSlices(texts(values, { project, isHeavy: adding.count > MAX_LIGHT }));
}

function* copies(records: readonly StoredRecord[]): Work<Json[]> {
  const values: Json[] = [];
  for (const [at, { value }] of records.entries()) {
    values.push(isJsonObject(value) ? { ...value } : value);
    if (at % STEP === STEP - 1) yield;
  }
  return values;
}

interface TextOptions extends Pick<Rendering, "project"> {
  /** Whether a single value may take long. */
  readonly isHeavy: boolean;
}

function* texts(values: readonly Json[], { project = (value) => value, isHeavy }: TextOptions): Work<string[]> {
  const rendered: string[] = [];
  for (const value of values) {
    const projected = project(value);
    rendered.push(isHeavy ? yield* stringifyInPieces(projected) : JSON.stringify(projected));
    yield;
  }
  return rendered;
}

/**
 * Records of one level, and how often the response contains each of them. A record that several others lead to is one
 * object, so that its own relations are looked up once.
 */
type Level = ReadonlyMap<JsonObject, number>;

/** Adds relations to records, level by level, and counts the records that the response gets by that. */
class Adding {
  readonly #store: Store;
  #count = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  get count(): number {
    return this.#count;
  }

  async add(level: Level, { parameter, name, link, below }: PlannedRelation, known: Groups | undefined): Promise<void> {
    if (level.size === 0) return;
    if (!link) {
      if (parameter === "_embed") for (const value of level.keys()) define(value, name, []);
      return;
    }
    const groups = known ?? (await this.#find(link, await inSlices(textsOf(level.keys(), link.from))));
    const next = await inSlices(this.#attach(level, { name, link, groups, hasMore: below.length > 0 }));
    for (const relation of below) await this.add(next, relation, undefined);
  }

  async #find({ collection, to }: Link, values: ReadonlySet<string>): Promise<Groups> {
    const [first, ...others] = await Promise.all(to.map((key) => this.#store.related(collection, key, values)));
    return others.reduce(union, first ?? new Map());
  }

  /** Returns the records that were added, to be added to in turn. */
  *#attach(level: Level, { name, link, groups, hasMore }: Attachment): Work<Level> {
    const next = new Map<JsonObject, number>();
    const copyBySlot = new Map<number, JsonObject>();
    const take = (record: StoredRecord, times: number): Json => {
      if (!hasMore || !isJsonObject(record.value)) return record.value;
      const copy = copyBySlot.get(record.slot) ?? { ...record.value };
      copyBySlot.set(record.slot, copy);
      next.set(copy, (next.get(copy) ?? 0) + times);
      return copy;
    };
    let steps = 0;
    for (const [value, times] of level) {
      const ids = keyTexts(value, link.from);
      const records = ids.flatMap((id) => groups.get(id) ?? []);
      this.#countIn(records.length * times);
      if (link.isOne) {
        if (records[0]) define(value, name, take(records[0], times));
      } else if (!link.from.isList || ids.length > 0 || hasField(value, link.from)) {
        const added: Json[] = [];
        for (const record of records) {
          added.push(take(record, times));
          if (++steps % STEP === 0) yield;
        }
        define(value, name, added);
      }
      if (++steps % STEP === 0) yield;
    }
    return next;
  }

  #countIn(records: number): void {
    this.#count += records;
    if (this.#count <= MAX_RELATED) return;
    const limit = MAX_RELATED.toLocaleString("en-US");
    const message = `_embed and _expand would add more than ${limit} records. Use _limit, a filter or fewer levels.`;
    throw new StandinError("EMBED_TOO_LARGE", message);
  }
}

interface Attachment {
  readonly name: string;
  readonly link: Link;
  readonly groups: Groups;
  /** Whether the added records get relations themselves. */
  readonly hasMore: boolean;
}

function* textsOf(values: Iterable<JsonObject>, key: Key): Work<Set<string>> {
  const found = new Set<string>();
  let steps = 0;
  for (const value of values) {
    for (const text of keyTexts(value, key)) found.add(text);
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
  return Object.hasOwn(value, field) && value[field] !== null;
}

/** The name comes from the request, so it must never reach a setter such as `__proto__`. */
function define(record: JsonObject, name: string, value: Json): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}
