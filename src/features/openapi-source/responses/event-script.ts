import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { nounOf, plainName, wordsIn } from "../../../openapi/bind/words.ts";
import type { Placed } from "../../../schema/references.ts";
import type { OperationContext } from "../operation-context.ts";
import { leavesOf, schemaFields, typesOf } from "../schema-fields.ts";
import { begun, type EventKind, eventKinds, findValue, spokenPieces } from "./event-kinds.ts";

type Tools = Pick<OperationContext, "document" | "passes" | "sample">;

/** Tells how a body came about, event by event. */
export type EventScript = (body: JsonObject) => readonly JsonObject[];

/**
 * Prepares a stream whose schema tells its events apart by their `type`: what holds the body begins (`*.created`) and ends
 * (`*.completed`) it; between them, each element of its lists is added, its texts come in deltas, and it is done. Undefined
 * where the schema is no such union.
 */
export function createEventScript(tools: Tools, schema: Placed, whole: Placed | undefined): EventScript | undefined {
  const kinds = eventKinds(tools.document.references, schema);
  if (kinds.length === 0) return undefined;
  return (body) => [...new Script(tools, kinds, whole).events(body)];
}

/** A part of the body, and what events say of it. */
interface Part {
  readonly value: JsonObject;
  /** Values of fields of events about it: `item_id`, `output_index`. */
  readonly known: JsonObject;
  readonly stem: string;
}

class Script {
  readonly #tools: Tools;
  readonly #kinds: readonly EventKind[];
  readonly #whole: string | undefined;
  #count = 0;

  constructor(tools: Tools, kinds: readonly EventKind[], whole: Placed | undefined) {
    this.#tools = tools;
    this.#kinds = kinds;
    this.#whole = whole && tools.document.references.follow(whole).place;
  }

  *events(body: JsonObject): Generator<JsonObject> {
    const around = this.#kinds.filter((kind) => this.#holderOf(kind) !== undefined);
    const starts = around.filter(({ phase }) => phase === "start");
    const [first] = starts;
    if (!first) {
      yield* this.#plain(body);
      return;
    }
    const holder = this.#holderOf(first) ?? "";
    const { id } = body;
    const known: JsonObject = typeof id === "string" ? { [`${holder}_id`]: id } : {};
    for (const kind of byBirth(starts))
      yield this.#event(kind, { ...known, [holder]: this.#begun(kind, holder, body) });
    yield* this.#below({ value: body, known, stem: first.stem });
    const own = this.#kinds.filter(({ stem }) => stem === first.stem);
    for (const kind of own.filter(({ phase }) => phase === "delta")) yield this.#event(kind, this.#echoed(kind, body));
    const end = own.find(({ phase }) => phase === "end");
    if (end) yield this.#event(end, { ...known, [holder]: body });
  }

  /** Events of each list in a part, and of the lists in those. */
  *#below({ value, known }: Part): Generator<JsonObject> {
    for (const [list, elements] of Object.entries(value)) {
      for (const [position, element] of Array.isArray(elements) ? elements.entries() : []) {
        if (!isJsonObject(element)) continue;
        const found = this.#kinds.flatMap((kind) => this.#startOf(kind, list, element) ?? [])[0];
        if (!found) continue;
        const { kind, field, index } = found;
        const id = typeof element.id === "string" ? { [`${field}_id`]: element.id } : {};
        const own: Part = { value: element, known: { ...known, ...id, [index]: position }, stem: kind.stem };
        const texts = [...this.#textsOf(own)];
        const bare = Object.fromEntries(texts.map(({ name }) => [name, ""]));
        const open = { ...this.#begun(kind, field, element), ...bare };
        yield this.#event(kind, { ...own.known, [field]: open });
        for (const text of texts) yield* this.#spoken(own, text);
        yield* this.#below(own);
        const end = this.#kinds.find(({ stem, phase }) => stem === kind.stem && phase === "end");
        if (end) yield this.#event(end, { ...own.known, [field]: element });
      }
    }
  }

  /** A text in deltas, and then as a whole. */
  *#spoken({ value, known }: Part, { name, kind }: SpokenText): Generator<JsonObject> {
    const text = String(value[name]);
    for (const piece of spokenPieces(text)) yield this.#event(kind, { ...known, ...this.#deltaOf(kind, name, piece) });
    const end = this.#kinds.find(({ stem, phase }) => stem === kind.stem && phase === "end");
    if (end?.properties.has(name)) yield this.#event(end, { ...known, [name]: text });
  }

  /** The texts of a part that come in deltas: by the type of the part, also with the name of the text, or by its own events. */
  *#textsOf({ value, stem }: Part): Generator<SpokenText> {
    const type = plainName(String(value.type ?? ""));
    for (const [name, text] of Object.entries(value)) {
      if (typeof text !== "string" || text === "" || ["type", "id", "status", "role"].includes(name)) continue;
      const names = [type, type + plainName(name)];
      const kind = this.#kinds.find(
        (one) =>
          one.phase === "delta" &&
          one.properties.has("delta") &&
          (names.includes(plainName(one.stem.split(".").at(-1) ?? "")) || one.stem === stem) &&
          this.#deltaOf(one, name, text) !== undefined,
      );
      if (kind) yield { name, kind };
    }
  }

  /** A piece of a text in the form of an event: itself, or in an object that has it. */
  #deltaOf({ properties }: EventKind, name: string, piece: string): JsonObject | undefined {
    const delta = properties.get("delta");
    if (!delta) return undefined;
    const { references } = this.#tools.document;
    if (typesOf(references, delta).includes("string")) return { delta: piece };
    for (const leaf of leavesOf(references, delta)) {
      if (!schemaFields(references, leaf)?.properties.has(name)) continue;
      const sample = this.#tools.sample(leaf, leaf.place);
      if (isJsonObject(sample)) return { delta: { ...sample, [name]: piece } };
    }
    return undefined;
  }

  /** Whether a kind of event begins an element of a list: it has its position, `output_index`, and the element. */
  #startOf(kind: EventKind, list: string, element: JsonObject) {
    if (kind.phase !== "start") return undefined;
    const names = [...kind.properties.keys()];
    const noun = nounOf(list);
    const isOf = wordsIn(kind.stem).some((word) => nounOf(word) === noun);
    const index = names.find(
      (name) => plainName(name) === `${noun}index` || (isOf && (name === "index" || name === "position")),
    );
    const field = names.find((name) => {
      const schema = kind.properties.get(name);
      return schema !== undefined && name !== kind.key && this.#isObject(schema) && this.#tools.passes(schema, element);
    });
    return index === undefined || field === undefined ? undefined : { kind, index, field };
  }

  #isObject(schema: Placed): boolean {
    const { references } = this.#tools.document;
    return leavesOf(references, schema).some((leaf) => schemaFields(references, leaf) !== undefined);
  }

  /** The property of an event that has the whole body. */
  #holderOf({ properties }: EventKind): string | undefined {
    const { references } = this.#tools.document;
    return [...properties].find(([, schema]) => references.follow(schema).place === this.#whole)?.[0];
  }

  #begun(kind: EventKind, field: string, value: JsonObject): JsonObject {
    const schema = kind.properties.get(field);
    return schema ? begun(value, (one) => this.#tools.passes(schema, one)) : value;
  }

  /** Fields that the last change of the whole has: `stop_reason`. */
  #echoed({ properties }: EventKind, body: JsonObject): JsonObject {
    const { references } = this.#tools.document;
    const delta = properties.get("delta");
    const names = [...((delta && schemaFields(references, delta)?.properties.keys()) ?? [])];
    const own = picked(body, names);
    const same = picked(body, properties.keys());
    return { ...same, ...(Object.keys(own).length > 0 && { delta: own }) };
  }

  /** Without an event that has the body: deltas of the texts that the last event has, and it. */
  *#plain(body: JsonObject): Generator<JsonObject> {
    const ends = this.#kinds.filter(({ phase }) => phase === "end");
    const last = ends.at(-1);
    for (const phase of ["start", "delta", "end"] as const) {
      for (const kind of this.#kinds.filter((one) => one.phase === phase)) {
        const text = phase === "delta" && last ? this.#textOf(last, body) : undefined;
        const pieces = text === undefined || !kind.properties.has("delta") ? [undefined] : spokenPieces(text);
        for (const piece of pieces) {
          yield this.#event(kind, { ...this.#found(kind, body), ...(piece !== undefined && { delta: piece }) });
        }
      }
    }
  }

  #textOf(end: EventKind, body: JsonObject): string | undefined {
    const found = this.#found(end, body);
    const text = found.text ?? found.content;
    return typeof text === "string" ? text : undefined;
  }

  #found({ properties, key }: EventKind, body: JsonObject): JsonObject {
    const entries = [...properties].flatMap(([name, schema]): [string, Json][] => {
      const value = name === key ? undefined : findValue(body, name);
      return value !== undefined && this.#tools.passes(schema, value) ? [[name, value]] : [];
    });
    return Object.fromEntries(entries);
  }

  /** An event with the fields that are known or required, counted. */
  #event(kind: EventKind, known: JsonObject): JsonObject {
    const { schema, properties, required, key, type } = kind;
    const sample = this.#tools.sample(schema, schema.place);
    const made = isJsonObject(sample) ? sample : {};
    const event: JsonObject = { [key]: type };
    for (const [name, property] of properties) {
      if (name === key) continue;
      const own = Object.hasOwn(known, name) ? known[name] : undefined;
      if (own !== undefined) event[name] = own;
      else if (/^sequence_?(?:number|id)?$/i.test(name)) event[name] = this.#count;
      else if (required.has(name) && Object.hasOwn(made, name)) {
        const value = made[name] ?? null;
        event[name] = Array.isArray(value) && this.#tools.passes(property, []) ? [] : value;
      }
    }
    this.#count++;
    return event;
  }
}

interface SpokenText {
  readonly name: string;
  readonly kind: EventKind;
}

function picked(value: JsonObject, names: Iterable<string>): JsonObject {
  return Object.fromEntries([...names].flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])));
}

/** Creation comes before progress. */
function byBirth(kinds: readonly EventKind[]): EventKind[] {
  const rank = ({ type }: EventKind): number => (/progress$/i.test(type) ? 1 : 0);
  return kinds.toSorted((one, other) => rank(one) - rank(other));
}
