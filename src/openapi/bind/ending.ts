import { isJsonObject } from "../../base/json/json.ts";
import type { Operation } from "../read/api-document.ts";
import { isFlag } from "./ids/id-key.ts";
import type { SchemaShape, Shapes } from "./schema-shape.ts";
import { wordsIn } from "./words.ts";

/** Verbs of things that end and stay. */
const VERBS = /^\W*(cancel|archive|deactivate|disable|close|revoke|void|terminate|expire|reset)s?\b/i;

/** The verb that the text of a DELETE begins with, if records stay after it: "Cancels a subscription." */
export function endingVerb({ operationId, summary, description }: Operation): string | undefined {
  const text = summary || description?.replace(/<[^>]*>/g, "") || operationId?.replace(/([a-z])([A-Z])/g, "$1 $2");
  return VERBS.exec(text ?? "")?.[1]?.toLowerCase();
}

/** "The status will change to `lost`", "transitions the program to `INACTIVE` status", "marks it as `Archived`" */
const LEADS_TO =
  /\b(?:changes?|changed|sets?|moves?|transitions?|updated|marks?)\b[^.]{0,80}? (?:to|as) (?:<code>|[`"'])(\w{2,40})/gi;

/** The words that a description says something becomes. */
export function toldStates(description: string): readonly string[] {
  return [...description.matchAll(LEADS_TO)].flatMap(([, state]) => state ?? []);
}

/** The states that verbs lead to whose own forms are none of them: "Deactivates a code", which is `inactive` then. */
export const ENDS_AS: readonly [verb: RegExp, states: readonly string[]] = [
  /^(?:deactivate|disable)$/,
  ["inactive", "disabled"],
];
/** The flags that these verbs turn off, and their opposites on. */
export const OF_ACTIVE: readonly string[] = ["active", "enabled"];

/** Whether a DELETE ends its record and keeps it: its verb is a state, a flag or a time of the record. */
export function isEnding(shapes: Shapes, operation: Operation, record: SchemaShape): boolean {
  const verb = endingVerb(operation);
  if (verb === undefined) return false;
  // A setting goes back to its default, and stays.
  if (verb === "reset") return true;
  const stem = verb.replace(/e$/, "");
  const told = toldStates(operation.description ?? "");
  const [isOfUsual, usual] = ENDS_AS;
  const isState = (state: string): boolean =>
    told.includes(state) ||
    state.toLowerCase().startsWith(stem) ||
    (isOfUsual.test(verb) && usual.includes(state.toLowerCase()));
  return [...record.properties.keys()].some((name) => {
    const [first = "", second = ""] = wordsIn(name);
    const word = first === "is" ? second : first;
    if (word.startsWith(stem)) return /^[a-z]*ed$/.test(word.slice(stem.length));
    if (isOfUsual.test(verb) && OF_ACTIVE.includes(word) && isFlag(shapes, record, name)) return true;
    const schema = /^(?:status|state)$/i.test(name) ? shapes.property(record, name)?.schema.value : undefined;
    const states = isJsonObject(schema) && Array.isArray(schema.enum) ? schema.enum : [];
    return states.map(String).some(isState);
  });
}
