import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { type PathStep, pathKey, pathText } from "../../../openapi/bind/path-shape.ts";
import { nounOf, plainName, singularOf, wordsIn } from "../../../openapi/bind/words.ts";
import { looksLikeChoice } from "../../../schema/inference/field-names.ts";
import { lookOfId } from "./look-of-ids.ts";
import type { Reason } from "./reason.ts";
import { isKeyValue, isSuccessful, type SeenExchange, textOfSegment } from "./seen.ts";
import { areAlike, fieldsWith, findList, onlyIn, shapeText } from "./spots.ts";

/** So many siblings of one shape are no names. */
const MANY_SIBLINGS = 8;

/** An exchange at its place in the API. */
export interface Routed extends SeenExchange {
  /** `/products/{productId}` */
  readonly path: string;
  readonly steps: readonly PathStep[];
  /** The values of the wildcards, from left to right. */
  readonly values: readonly string[];
}

/** The paths of an earlier recording: those of records stay what they are. */
export type EarlierPaths = ReadonlyMap<string, readonly PathStep[]>;

/** Finds the segments that vary: by evidence, then by their look, then by their number. */
export function routeExchanges(
  seen: readonly SeenExchange[],
  earlier: EarlierPaths,
): { readonly routed: readonly Routed[]; readonly reasons: readonly Reason[] } {
  const routed = new Map<SeenExchange, Routed>();
  const reasons: Reason[] = [];
  const visit = (group: readonly SeenExchange[], steps: readonly PathStep[]): void => {
    const depth = steps.length;
    const siblings = new Map<string, SeenExchange[]>();
    for (const one of group) {
      const segment = one.segments[depth];
      if (segment === undefined)
        routed.set(one, { ...one, path: pathText(steps), steps, values: valuesOf(one, steps) });
      else siblings.set(segment, [...(siblings.get(segment) ?? []), one]);
    }
    const above = group.filter(({ segments }) => segments.length === depth);
    const varying = findVarying({ siblings, above, steps, earlier });
    const [first] = varying;
    if (first) {
      const name = wildcardName(steps, earlier);
      const below: readonly PathStep[] = [...steps, { kind: "wildcard", name }];
      reasons.push({ about: pathText(below), guess: "path", value: `{${name}}`, because: first[1] });
      visit(
        [...varying.keys()].flatMap((segment) => siblings.get(segment) ?? []),
        below,
      );
    }
    for (const [text, own] of siblings) if (!varying.has(text)) visit(own, [...steps, { kind: "fixed", text }]);
  };
  visit(seen, []);
  return { routed: seen.flatMap((one) => routed.get(one) ?? []), reasons };
}

function valuesOf({ segments }: SeenExchange, steps: readonly PathStep[]): string[] {
  return segments.filter((_, at) => steps[at]?.kind === "wildcard").map(textOfSegment);
}

interface Place {
  readonly siblings: ReadonlyMap<string, readonly SeenExchange[]>;
  /** The exchanges at the path above. */
  readonly above: readonly SeenExchange[];
  readonly steps: readonly PathStep[];
  readonly earlier: EarlierPaths;
}

/** The segments at one place that vary, each with the reason; the strongest reason comes first. */
function findVarying(place: Place): ReadonlyMap<string, string> {
  const { siblings, above, steps, earlier } = place;
  const listed = above.flatMap((one) => (isSuccessful(one) ? (findList(one.body)?.rows ?? []) : []));
  const found = new Map<string, string>();
  const collect = (why: (segment: string, own: readonly SeenExchange[]) => string | undefined): void => {
    for (const [segment, own] of siblings) {
      const reason = found.has(segment) ? undefined : why(segment, own);
      if (reason !== undefined) found.set(segment, reason);
    }
  };
  collect((segment, own) => evidenceOf(textOfSegment(segment), own, { listed, steps }));
  collect((segment) => {
    const look = steps.length > 0 ? lookOfId(textOfSegment(segment)) : undefined;
    return look && `looks like an id: ${look}`;
  });
  for (const [segment, why] of manyAlike(place, found)) found.set(segment, why);
  const wasVarying = earlier.has(pathKey([...steps, { kind: "wildcard", name: "" }]));
  if (wasVarying) {
    collect((text) =>
      earlier.has(pathKey([...steps, { kind: "fixed", text }])) ? undefined : "as it was recorded before",
    );
  }
  // A record that is not there is named like those that are.
  if (found.size > 0) {
    const isGone = (one: SeenExchange): boolean => one.status >= 400 && one.segments.length === steps.length + 1;
    collect((_, own) => (own.every(isGone) ? "no such record" : undefined));
  }
  return found;
}

interface Around {
  /** The records of the list above. */
  readonly listed: readonly JsonObject[];
  readonly steps: readonly PathStep[];
}

/** Whether a segment is a value of the records that it leads to, or of those in the list above. */
function evidenceOf(text: string, own: readonly SeenExchange[], { listed, steps }: Around): string | undefined {
  const depth = steps.length;
  const ending = own.filter((one) => one.segments.length === depth + 1 && isSuccessful(one));
  const isList = ({ body, method }: SeenExchange): boolean =>
    method === "GET" && Array.isArray(body) && onlyIn(body) === undefined;
  if (ending.some(isList)) return undefined;
  const isName = (field: string): boolean => !looksLikeChoice(field);
  const inList = listed.flatMap((record) => fieldsOf(record, text)).find(isName);
  if (inList !== undefined) return `equals ${inList} of a record in the list above`;
  const isWord = /^[a-z-]+$/i.test(text);
  if (depth > 0) {
    const inBody = ending
      .flatMap(({ body }) => fieldsWith(body, text))
      .find(({ field }) => isName(field) && (!isWord || IDENTIFIES.test(plainName(field))));
    if (inBody) return `equals ${[...inBody.at, inBody.field].join(".")} of the body that it returns`;
  }
  const parent = steps.at(-1);
  const noun = parent?.kind === "fixed" ? nounOf(parent.text) : "";
  const inChildren = own
    .flatMap((one) => (one.segments.length > depth + 1 ? (findList(one.body)?.rows ?? []) : []))
    .flatMap((record) => fieldsOf(record, text))
    .find((field) => noun !== "" && plainName(field).startsWith(noun));
  return inChildren === undefined ? undefined : `equals ${inChildren} of the records below it`;
}

/** Names of fields that words in a path may stand for. */
const IDENTIFIES = /(?:id|uuid|key|slug|code|name|login|handle|number|sku|email)$/;

function fieldsOf(record: JsonObject, text: string): string[] {
  return Object.keys(record).filter((name) => isKeyValue(record[name]) && String(record[name]) === text);
}

/** Eight or more siblings that send bodies of one shape. */
function manyAlike({ siblings, steps }: Place, known: ReadonlyMap<string, string>): [segment: string, why: string][] {
  const alike = new Map<string, string[]>();
  for (const [segment, own] of siblings) {
    const sent = own.find(
      (one) => one.segments.length === steps.length + 1 && one.method === "GET" && isSuccessful(one),
    );
    if (known.has(segment) || !isJsonObject(sent?.body) || listsBelow(sent.body, own, steps.length + 1)) continue;
    const shape = shapeText(sent.body);
    alike.set(shape, [...(alike.get(shape) ?? []), segment]);
  }
  return [...alike.values()]
    .filter(({ length }) => length >= MANY_SIBLINGS)
    .flatMap((segments) =>
      segments.map((one): [string, string] => [one, `${MANY_SIBLINGS} or more siblings of one shape`]),
    );
}

/** Whether paths below name the records of a list, or send records like its own: then it is a collection, and its segment no id. */
function listsBelow(body: Json, own: readonly SeenExchange[], depth: number): boolean {
  const rows = findList(body)?.rows ?? [];
  const below = own.filter(({ segments }) => segments.length > depth);
  const texts = new Set(below.map(({ segments }) => textOfSegment(segments[depth] ?? "")));
  const isItem = (one: SeenExchange): boolean => one.segments.length === depth + 1 && isSuccessful(one);
  return (
    [...texts].some((text) => rows.some((row) => fieldsOf(row, text).length > 0)) ||
    below.some((one) => isItem(one) && isJsonObject(one.body) && areAlike(rows[0], one.body))
  );
}

/** `productId` below `/products`; the name of an earlier recording stays. */
function wildcardName(steps: readonly PathStep[], earlier: EarlierPaths): string {
  const known = earlier.get(pathKey([...steps, { kind: "wildcard", name: "" }]))?.at(-1);
  if (known?.kind === "wildcard") return known.name;
  const before = steps.at(-1);
  const words = before?.kind === "fixed" ? wordsIn(before.text) : [];
  const noun = [...words.slice(0, -1), singularOf(words.at(-1) ?? "")]
    .filter((word) => word !== "")
    .map((word, at) => (at === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join("");
  const wanted = noun === "" ? "id" : `${noun}Id`;
  const taken = steps.flatMap((step) => (step.kind === "wildcard" ? step.name : []));
  let name = wanted;
  for (let next = 2; taken.includes(name); next++) name = `${wanted}${next}`;
  return name;
}
