import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { ENDS_AS, OF_ACTIVE, toldStates } from "../../../openapi/bind/ending.ts";
import { wordsIn } from "../../../openapi/bind/words.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { isNullable, keyword, schemaFields, typesOf } from "../schema-fields.ts";
import { timeWriter } from "../seeds/time-fields.ts";

/** The fields of a record that an action changes by what its path calls it. */
export type ActionEffect = () => JsonObject;

/** States that verbs lead to whose own forms are none of them. Nouns such as `issues` and `endpoints` lead to none. */
const USUAL_STATES: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^(?:confirm|capture|complete|finish|execute|process|settle|fulfil+|submit)$/,
    ["succeeded", "completed", "complete", "done"],
  ],
  [/^(?:start|resume|run|launch|boot)$/, ["running", "starting", "active", "open", "in_progress"]],
  [/^(?:finali[sz]e|issue|open|publish|activate|reopen|enable|send)$/, ["open", "active", "published", "in_progress"]],
  ENDS_AS,
  [/^(?:stop|end|terminate|abort)$/, ["stopped", "ended", "canceled", "cancelled", "closed"]],
];
const OF_BIRTH = /^(?:created|added|updated|modified|changed)$/;
const IRREGULAR: Readonly<Record<string, string>> = {
  send: "sent",
  hold: "held",
  pay: "paid",
  withdraw: "withdrawn",
  read: "read",
  hide: "hidden",
  freeze: "frozen",
};

/** Names of actions that undo others: `unarchive`, `disable`, `deactivate`, `detach`. */
const UNDOES: readonly (readonly [RegExp, string])[] = [
  [/^un(?=[a-z]{4})/, ""],
  [/^dis(?=able|connect)/, ""],
  [/^disable/, "enable"],
  [/^de(?=activate)/, ""],
  [/^detach/, "attach"],
  [/^resume/, "pause"],
];

/** Reads what an action such as `cancel` does to records: their state, flags (`archived`) and times (`canceled_at`). */
export function createActionEffect(
  references: References,
  record: Placed,
  { name, now, description = "" }: { readonly name: string; readonly description?: string | undefined; now(): number },
): ActionEffect {
  const undone = undoneBy(name);
  const told = toldStates(description);
  const deed: Deed = {
    own: wordsIn(name),
    verbs: wordsIn(undone.at(0) ?? name),
    isUndone: undone.length > 0,
    told,
    now,
  };
  const changes: [field: string, value: () => Json][] = [];
  for (const [field, schema] of schemaFields(references, record)?.properties ?? []) {
    const value = changeOf(references, { field, schema }, deed);
    if (value) changes.push([field, value]);
  }
  return () => Object.fromEntries(changes.map(([field, value]) => [field, value()]));
}

/** The names of the action that another one undoes; empty where it undoes none. */
export function undoneBy(name: string): string[] {
  return UNDOES.flatMap(([form, other]) => (form.test(name) ? name.replace(form, other) : []));
}

interface Deed {
  /** The words of its name. */
  readonly own: readonly string[];
  /** The same, or those of the action that it undoes. */
  readonly verbs: readonly string[];
  readonly isUndone: boolean;
  /** The states that its description says it leads to. */
  readonly told: readonly string[];
  now(): number;
}

function changeOf(
  references: References,
  { field, schema }: { readonly field: string; readonly schema: Placed },
  { own, verbs, isUndone, told, now }: Deed,
): (() => Json) | undefined {
  const words = wordsIn(field).filter((word) => word !== "is" && word !== "has");
  const last = words.at(-1) ?? "";
  if (last === "status" || last === "state") {
    const states = words.length === 1 ? statesOf(references, schema) : [];
    const state = states.find((one) => told.includes(one)) ?? stateFor(own, states);
    return state === undefined ? undefined : () => state;
  }
  const isSwitch = verbs.some((verb) => verb === "activate" || verb === "enable");
  const isMeant = (word: string): boolean =>
    verbs.some((verb) => isPast(verb, word)) || (isSwitch && OF_ACTIVE.includes(word));
  if (words.length === 1 && isMeant(last) && typesOf(references, schema).includes("boolean")) return () => !isUndone;
  const [deed = "", ...others] = words.slice(0, -1).toReversed();
  const isWhole = others.every((word) => own.includes(word)) && (others.length > 0 || own.length < 3);
  if (!isWhole || !isMeant(deed) || !["at", "on", "date", "time"].includes(last)) return undefined;
  // `create_portal_url` creates something else, and `started_at` is not the time of a later start.
  if (OF_BIRTH.test(deed) || isOfFirst(references, schema)) return undefined;
  const write = timeWriter(references, schema);
  if (!isUndone) return write && (() => write(now()));
  return isNullable(references, schema) ? () => null : undefined;
}

/** "When it was started for the first time" */
function isOfFirst(references: References, schema: Placed): boolean {
  return /\bfor the first time\b/i.test(String(keyword(references, schema, "description")));
}

function stateFor(verbs: readonly string[], states: readonly string[]): string | undefined {
  for (const verb of verbs) {
    const found =
      states.find((state) => wordsIn(state).some((word) => isPast(verb, word)) && isOfDeed(verbs, state)) ??
      states.find((state) => state.toLowerCase() === verb);
    if (found !== undefined) return found;
  }
  const [verb = ""] = verbs;
  const usual = USUAL_STATES.find(([form]) => form.test(verb))?.[1] ?? [];
  return usual.flatMap((one) => states.find((state) => state.toLowerCase() === one) ?? [])[0];
}

/** `approve_implementation` leads to no `spec_approved`. */
function isOfDeed(verbs: readonly string[], state: string): boolean {
  const others = wordsIn(state).filter((word) => !verbs.some((verb) => isPast(verb, word)));
  return verbs.length < 2 || others.every((word) => verbs.includes(word));
}

/** Whether a word is the participle of a verb: cancel, canceled and cancelled; close, closed; pay, paid. */
export function isPast(verb: string, word: string): boolean {
  if (IRREGULAR[verb] !== undefined) return word === IRREGULAR[verb];
  const stem = verb.replace(/e$/, "").replace(/y$/, "i");
  return word.startsWith(stem) && /^[a-z]?ed$/.test(word.slice(stem.length));
}

/** The texts that a state may have: those of its `enum`, else those that its description quotes. */
function statesOf(references: References, schema: Placed): string[] {
  const listed = enumOf(references, schema);
  if (listed.length > 0) return listed;
  const text = String(keyword(references, schema, "description") ?? "");
  return [...text.matchAll(/`(\w{2,40})`/g)].map(([, word]) => word!);
}

/** The texts that a field may have. */
export function enumOf(references: References, schema: Placed): string[] {
  const { value, place } = references.resolve(schema);
  if (!isJsonObject(value)) return [];
  if (Array.isArray(value.enum)) return value.enum.filter((one) => typeof one === "string");
  const parts = [value.allOf, value.anyOf, value.oneOf].flatMap((some) => (Array.isArray(some) ? some : []));
  return parts.flatMap((part) => enumOf(references, { value: part, place }));
}

/**
 * Reads which times of a record tell of its state: `closed_at` is the time at which it became `closed`, and is null again
 * when it leaves that state.
 */
export function createStateTimes(
  references: References,
  record: Placed,
  now: () => number,
): (held: JsonObject, sent: JsonObject) => JsonObject {
  const properties = schemaFields(references, record)?.properties ?? new Map<string, Placed>();
  const states = [...properties.keys()].filter((name) => /^(?:status|state)$/i.test(name));
  const times = [...properties].flatMap(([field, schema]) => {
    const [state = "", last = "", ...more] = wordsIn(field);
    const write = last === "at" && more.length === 0 ? timeWriter(references, schema) : undefined;
    return write && isNullable(references, schema) ? [{ field, state, write }] : [];
  });
  return (held, sent) => {
    const changed: JsonObject = {};
    for (const name of states) {
      const [before, after] = [held[name], sent[name]];
      if (typeof after !== "string" || before === after) continue;
      for (const { field, state, write } of times) {
        if (Object.hasOwn(sent, field)) continue;
        if (after.toLowerCase() === state) changed[field] = write(now());
        else if (String(before).toLowerCase() === state) changed[field] = null;
      }
    }
    return changed;
  };
}
