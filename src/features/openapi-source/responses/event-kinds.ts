import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { keyword, leavesOf, schemaFields } from "../schema-fields.ts";

/** One of the alternatives of a stream's events, such as `response.output_text.delta`. */
export interface EventKind {
  readonly type: string;
  /** The property that has the type. */
  readonly key: string;
  /** The type without its last word, which tells the phase. */
  readonly stem: string;
  readonly phase: Phase | undefined;
  readonly schema: Placed;
  readonly properties: ReadonlyMap<string, Placed>;
  readonly required: ReadonlySet<string>;
}

export type Phase = "start" | "delta" | "end";

const KEYS = ["type", "event", "kind"];

const PHASES: readonly (readonly [Phase, RegExp])[] = [
  ["start", /^(.+?)[._](?:created|start(?:ed)?|in_progress|added|begin|begun)$/i],
  ["delta", /^(.+?)[._](?:delta|chunk|partial\w*)$/i],
  ["end", /^(.+?)[._](?:done|completed?|stop(?:ped)?|end(?:ed)?|finish(?:ed)?)$/i],
];

/** The events that a schema tells apart by their type, in the order of the document; empty where there are not several. */
export function eventKinds(references: References, schema: Placed): readonly EventKind[] {
  const kinds = leavesOf(references, schema).flatMap((leaf): EventKind[] => {
    const fields = schemaFields(references, leaf);
    const key = KEYS.find((name) => fields?.properties.has(name));
    const named = key === undefined ? undefined : fields?.properties.get(key);
    const type = named && onlyValue(references, named);
    if (!fields || key === undefined || typeof type !== "string") return [];
    const [phase, form] = PHASES.find((one) => one[1].test(type)) ?? [];
    const { properties, required } = fields;
    return [{ type, key, stem: form?.exec(type)?.[1] ?? type, phase, schema: leaf, properties, required }];
  });
  return kinds.length > 1 ? kinds : [];
}

function onlyValue(references: References, schema: Placed): Json | undefined {
  const listed = keyword(references, schema, "enum");
  return Array.isArray(listed) && listed.length === 1 ? listed[0] : keyword(references, schema, "const");
}

/** A text in parts that add up to it. */
export function spokenPieces(text: string): string[] {
  const words = text.match(/\S+\s*|\s+/g) ?? [];
  const size = Math.ceil(words.length / MOST_PIECES);
  const pieces: string[] = [];
  for (let at = 0; at < words.length; at += size) pieces.push(words.slice(at, at + size).join(""));
  return pieces;
}

const MOST_PIECES = 20;

/** The first value of a name, in an object or the objects in it. */
export function findValue(value: Json, name: string): Json | undefined {
  if (Array.isArray(value)) {
    for (const one of value) {
      const found = findValue(one, name);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  return findValue(Object.values(value), name);
}

/** The object as it was when the work on it began: under way, with empty lists. */
export function begun(value: JsonObject, passes: (value: JsonObject) => boolean): JsonObject {
  let own = value;
  const attempt = (change: JsonObject): void => {
    const next = { ...own, ...change };
    if (passes(next)) own = next;
  };
  for (const [name, held] of Object.entries(value)) {
    if (/^(?:status|state)$/i.test(name)) attempt({ [name]: "in_progress" });
    if (/^(?:completed|finished|ended)_?at$/i.test(name)) attempt({ [name]: null });
    if (Array.isArray(held) && held.length > 0) attempt({ [name]: [] });
  }
  return own;
}
