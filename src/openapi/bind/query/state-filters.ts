import { isJsonObject } from "../../../base/json/json.ts";
import type { Parameter } from "../../read/api-document.ts";
import type { ValueFilter } from "../binding.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { insideFilter, plainName, singularOf, wordsIn } from "../words.ts";
import type { NamedFilter } from "./filter-names.ts";
import { OF_FORM } from "./filters-inside.ts";
import { asksTruth, flagWords, type Leaf, leavesIn, listedValues } from "./leaves.ts";
import { attributesOf } from "./resource-attributes.ts";

/** Words for the opposite of a state. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ["active", "inactive"],
  ["active", "deactivated"],
  ["enabled", "disabled"],
  ["public", "private"],
  ["open", "closed"],
  ["read", "unread"],
  ["used", "unused"],
  ["online", "offline"],
  ["available", "unavailable"],
  ["assigned", "unassigned"],
  ["archived", "unarchived"],
  ["paid", "unpaid"],
  ["published", "unpublished"],
  ["verified", "unverified"],
  ["resolved", "unresolved"],
  ["completed", "incomplete"],
];
const SHOWS = /^(?:is )?(?:include|includes|including|show|with|allow|return) (.+)$/;
const OF_FIELD = / (?:time|date|at|timestamps?|counts?|info|details?|metadata)$/;
const HIDES = /^(?:exclude|excludes|hide|ignore|without|omit|skip) (.+)$/;
const ONLY = /^only (?:show |with |include )?(.+)$|^(?:show |include )?(.+) only$/;
const NOT = /^(?:not?|non|un) ?(.+)$/;
/** "Whether to include private ones" */
const MORE =
  /^(?:(?:if|when) (?:true|set),? |whether to )?(?:also )?includes? (?!only\b)|^(?:if |whether (?:to )?)?returns? also\b|\balso returns?\b|^excludes? [^.]* (?:when|if) \W*false\b|\b(?:is|are) (?:also )?included\b/i;
/** Words for any state. */
const EVERYTHING = /^(?:all|any|both|none|everything)$/i;
/** "If true, returns only unseen ones" */
const OF_ONLY = /\bif true\b[^.]*\bonly\b/i;
/** "Show current ones, or show removed ones" */
const EITHER = /\bshows? [^.]*\bor (?:to )?shows? /i;
/** Descriptions of records that are left out by default. */
const HIDDEN =
  /\bdefaults? (?:is|to|value is|value)?:? ?['"`]?(?:false|no)\b|\b(?:excluded|hidden|omitted|left out|not (?:returned|included|shown|listed))\b[\w ]{0,40} by default\b|['"`]?false['"`]? by default|\bby default,? (?:only|all (?:active|enabled)|(?:they|it|these) (?:are|is) not|\w+ \w+ are (?:not|hidden|excluded|omitted))/i;

/**
 * What the values of a parameter mean that asks for records in a state: `include_deleted`, `only_verified`, `hideClosed`,
 * `unread`, `active` of records with a `status`, and `visibility=public` of records that are `private` or not. The value ""
 * stands for requests without the parameter. Undefined where the parameter means something else.
 */
export function stateFilter(
  shapes: Shapes,
  record: SchemaShape,
  { name, schema, description = "" }: Parameter,
): Readonly<Record<string, ValueFilter>> | undefined {
  const shape = schema && shapes.of(schema);
  const told = description.replace(/\bincluded in the (?:results?|list)\b/i, "included");
  if (shape?.kind !== "scalar" || OF_FORM.test(told)) return undefined;
  const isResource = attributesOf(shapes, record) !== undefined;
  const leaves = leavesIn(shapes, record).filter(
    ({ depth, path }) => depth === 0 || (isResource && depth === 1 && path.startsWith("attributes.")),
  );
  const state = (words: string): State | undefined => {
    const found = stateNamed(leaves, words);
    const [, opposite] = found ? [] : (NOT.exec(words) ?? []);
    const other = opposite === undefined ? undefined : stateNamed(leaves, opposite);
    return found ?? (other && { has: other.lacks, lacks: other.has });
  };
  const text = wordsIn(insideFilter(name))
    .join(" ")
    .replace(/^(?:is|are) /, "");
  const values = listedValues(shape);
  // `status=locked` of records without a status is about those with a `locked_at`.
  const isStateless = /^(?:status|state)$/.test(text) && !leaves.some(({ key }) => /^(?:status|state)$/i.test(key));
  const telling = leaves.filter((leaf) => leaf.shape.types.has("boolean") || (isStateless && leaf.values.length === 0));
  if (!isFlag(shape, values)) {
    const states = byValues(values, (words) => stateNamed(telling, words) ?? stateTold(leaves, words));
    // `all` beside two others, or a kind of two, leaves nothing but the opposite.
    const areAll =
      isStateless || values.some((one) => EVERYTHING.test(one)) || /\b(?:kind|type|stat(?:e|us))$/.test(text);
    return areAll ? withOther(states, values) : states;
  }
  const [, shown] = SHOWS.exec(text) ?? [];
  // `includeLastUsedTime` shows a field.
  if (shown !== undefined && OF_FIELD.test(shown)) return undefined;
  const [, hidden] = HIDES.exec(text) ?? [];
  const [, one, other] = ONLY.exec(text) ?? [];
  const wanted = shown ?? hidden ?? one ?? other;
  // `includeInactiveUsers` has the noun of the records behind the state.
  const found =
    state(wanted ?? text) ??
    (wanted?.includes(" ") ? state(wanted.replace(/ \w+$/, "")) : undefined) ??
    // "If true, facilitators are included."
    (MORE.test(description) ? state(singularOf(wanted ?? text)) : undefined);
  if (!found) return undefined;
  if (one ?? other) return { true: found.has };
  if (hidden !== undefined) return { true: found.lacks, ...(usualOf(shape) === true ? { "": found.lacks } : {}) };
  const isMore = shown !== undefined || MORE.test(description);
  if (isMore) return more(found, shape, description);
  return OF_ONLY.test(description) ? { true: found.has } : { true: found.has, false: found.lacks };
}

/**
 * What the values of a filter by a flag mean, if they are not those of the flag: words for its states, or a wish for
 * more records.
 */
export function flagStates(
  shapes: Shapes,
  record: SchemaShape,
  { filter, parameter }: { readonly filter: NamedFilter; readonly parameter: Parameter },
): Readonly<Record<string, ValueFilter>> | undefined {
  const { schema, description = "" } = parameter;
  const shape = schema && shapes.of(schema);
  const flag = leavesIn(shapes, record).find(({ path }) => path === filter.field);
  const [yes, no] = (flag && flagWords(flag.shape)) ?? [];
  if (shape?.kind !== "scalar" || filter.operator || !flag || yes === undefined || no === undefined) return undefined;
  const has = { field: flag.path, value: yes };
  const lacks = { field: flag.path, value: no };
  const states = { true: has, [yes]: has, false: lacks, [no]: lacks };
  if (yes !== "true") return asksTruth(shape) ? states : undefined;
  if (isFlag(shape, listedValues(shape)) && OF_ONLY.test(description)) return { true: has };
  const usual = usualOf(shape);
  if (typeof usual === "boolean" && EITHER.test(description)) return { ...states, "": usual ? has : lacks };
  const values = listedValues(shape);
  if (!isFlag(shape, values)) return byValues(values, (words) => stateNamed([flag], words));
  return MORE.test(description) ? more(ofFlag(flag, "true"), shape, description) : undefined;
}

function usualOf({ schema: { value } }: SchemaShape): unknown {
  return isJsonObject(value) ? value.default : undefined;
}

function more({ lacks }: State, shape: SchemaShape, description: string): Readonly<Record<string, ValueFilter>> {
  const isHidden = HIDDEN.test(description) || usualOf(shape) === false;
  return { false: lacks, ...(isHidden ? { "": lacks } : {}) };
}

interface State {
  readonly has: ValueFilter;
  readonly lacks: ValueFilter;
}

function isFlag({ types, format }: SchemaShape, values: readonly string[]): boolean {
  return (
    (types.has("boolean") && types.size === 1) ||
    format === "boolean" ||
    (values.length === 2 && values.includes("true") && values.includes("false"))
  );
}

/** The state with this name: a flag, one of the values of a state, or the time of it. */
function stateNamed(leaves: readonly Leaf[], words: string): State | undefined {
  const flag = (name: string): Leaf | undefined => {
    const wanted = name.replace(/^(?:is|has) /, "");
    return leaves.find(({ key, shape }) => shape.types.has("boolean") && barely(key) === wanted);
  };
  const own = flag(words);
  if (own) return ofFlag(own, "true");
  for (const [yes, no] of OPPOSITES) {
    const opposite = words === no ? yes : words === yes ? no : undefined;
    const found = opposite === undefined ? undefined : flag(opposite);
    if (found) return ofFlag(found, "false");
  }
  const bare = plainName(words);
  const [listed, second] = leaves.filter(
    ({ values }) => values.length > 1 && values.some((one) => plainName(one) === bare),
  );
  if (listed && !second) {
    const value = listed.values.find((one) => plainName(one) === bare) ?? words;
    const { path: field } = listed;
    return { has: { field, value }, lacks: { field, operator: "!eq", value } };
  }
  // Every record has been created.
  if (/^(?:created|updated|modified|changed)$/.test(bare)) return undefined;
  const times = ["at", "on", "date", "time"].map((end) => bare + end);
  // `invoiceDate` is no state of invoices, unlike `closedDate`.
  const isState = (key: string): boolean => /ed$/.test(bare) || !/(?:date|time)$/i.test(key);
  const time = leaves.find(({ key }) => times.includes(plainName(key)) && isState(key));
  if (!time) return undefined;
  const at = { field: time.path, operator: "null" };
  return { has: { ...at, value: "false" }, lacks: { ...at, value: "true" } };
}

/** The state that the description of a number tells: "active (1) or deactivated (0)". */
function stateTold(leaves: readonly Leaf[], words: string): State | undefined {
  for (const { path: field, shape } of leaves) {
    const { value: schema } = shape.schema;
    const text = isJsonObject(schema) && shape.types.has("integer") ? String(schema.description ?? "") : "";
    const told = [...text.matchAll(/\b(\w+) \(['"`]?(\d{1,4})['"`]?\)/g)];
    const value = told.find(([, word]) => word?.toLowerCase() === words)?.[2];
    if (value !== undefined && told.length > 1)
      return { has: { field, value }, lacks: { field, operator: "!eq", value } };
  }
  return undefined;
}

/** The words of a flag: `isDeleted`, `deleted_flag`. */
function barely(key: string): string {
  return wordsIn(key)
    .join(" ")
    .replace(/^(?:is|has) | (?:flag|status)$/g, "");
}

/** A record without the flag is not in that state. */
function ofFlag({ path: field }: Leaf, value: "true" | "false"): State {
  const has = { field, value };
  const lacks = { field, operator: "!eq", value };
  return { has, lacks };
}

/** Of two values, `active` is those that are not `finished`, and `main` those that are not `candidate`. */
function withOther(
  states: Readonly<Record<string, ValueFilter>> | undefined,
  values: readonly string[],
): Readonly<Record<string, ValueFilter>> | undefined {
  const [only, second] = Object.values(states ?? {});
  const telling = values.filter((value) => !EVERYTHING.test(value));
  const other = telling.find((value) => states?.[value] === undefined);
  if (!only || second || telling.length !== 2 || other === undefined) return states;
  if (only.operator === "null") return { ...states, [other]: { ...only, value: "true" } };
  const isFlag = only.operator === undefined && only.value === "true";
  return isFlag ? { ...states, [other]: { ...only, operator: "!eq" } } : states;
}

/** `visibility=public`, `archived_state=not_archived`: values that are states of flags. */
function byValues(
  values: readonly string[],
  state: (words: string) => State | undefined,
): Readonly<Record<string, ValueFilter>> | undefined {
  const meant = values.flatMap((value): [string, ValueFilter][] => {
    const words = wordsIn(value).join(" ");
    const own = state(words);
    if (own) return [[value, own.has]];
    const [, opposite = ""] = NOT.exec(words) ?? [];
    const other = opposite === "" ? undefined : state(opposite);
    return other ? [[value, other.lacks]] : [];
  });
  return meant.length > 0 ? Object.fromEntries(meant) : undefined;
}
