import { isJsonObject, type JsonObject } from "../../../base/json/json.ts";
import { nameCollections } from "../../../openapi/bind/collection-names.ts";
import { type PathStep, pathText } from "../../../openapi/bind/path-shape.ts";
import { findAlike, isSameNoun, singularOf } from "../../../openapi/bind/words.ts";
import { type FoundId, findId } from "./id-key.ts";
import { type SeenOperation, type SeenOperations, seenKey } from "./operations.ts";
import type { Reason } from "./reason.ts";
import { isSuccessful } from "./seen.ts";
import { findList, rowsAt } from "./spots.ts";

/** Operations that read and write records. */
export interface SeenCollection {
  readonly name: string;
  readonly listSteps: readonly PathStep[];
  readonly itemSteps: readonly PathStep[];
  readonly listPath: string;
  readonly itemPath: string;
  readonly idKey: string;
  /** Where the list stands in its response, and the record in that of its own path. */
  readonly at: readonly string[];
  readonly itemAt: readonly string[];
  /** Further paths that list its records, and where the list stands there. */
  readonly otherLists: ReadonlyMap<string, readonly string[]>;
  /** Wildcards of its paths that no field of its records has, by their position. */
  readonly hiddenParents: ReadonlyMap<number, string>;
}

/** What an earlier recording says of a collection, by the path of its list. */
export type EarlierCollections = ReadonlyMap<string, Pick<SeenCollection, "name" | "idKey" | "at" | "itemAt">>;

interface Draft extends Omit<SeenCollection, "name" | "otherLists"> {
  readonly segment: string;
  readonly name: string | undefined;
  readonly records: readonly JsonObject[];
  readonly hasItems: boolean;
  readonly reasons: readonly Omit<Reason, "about">[];
  readonly otherLists: Map<string, readonly string[]>;
}

/** Finds the collections among the operations, with the reasons. */
export function findCollections(
  operations: SeenOperations,
  earlier: EarlierCollections,
): { readonly collections: readonly SeenCollection[]; readonly reasons: readonly Reason[] } {
  const paths = new Map<string, readonly PathStep[]>();
  for (const { steps } of operations.values()) {
    const list = steps.at(-1)?.kind === "wildcard" ? steps.slice(0, -1) : steps;
    if (list.at(-1)?.kind === "fixed") paths.set(pathText(list), list);
  }
  const drafts = joinLists(
    [...paths.values()].flatMap((steps) => readDraft(operations, steps, earlier) ?? []),
    operations,
  );
  const names = nameCollections(drafts.map((draft) => ({ ...draft, steps: draft.listSteps })));
  const collections = drafts.map((draft, at): SeenCollection => ({ ...draft, name: names[at] ?? draft.segment }));
  const reasons = drafts.flatMap((draft, at) => draft.reasons.map((one) => ({ about: names[at] ?? "", ...one })));
  return { collections, reasons };
}

function readDraft(
  operations: SeenOperations,
  listSteps: readonly PathStep[],
  earlier: EarlierCollections,
): Draft | undefined {
  const last = listSteps.at(-1);
  const segment = last?.kind === "fixed" ? last.text : "";
  const listPath = pathText(listSteps);
  const itemSteps = itemStepsBelow(operations, listSteps, segment);
  const itemPath = pathText(itemSteps);
  const known = earlier.get(listPath);
  const of = (method: string, path: string) => operations.get(seenKey(method, path));
  const [list, creates, reads] = [of("GET", listPath), of("POST", listPath), of("GET", itemPath)];
  const at = known?.at ?? listPlace(list);
  const hasItems = ["GET", "PUT", "PATCH", "DELETE"].some((method) => of(method, itemPath) !== undefined);
  if ((list?.seen.some(isSuccessful) && !at) || (!at && !hasItems)) return undefined;
  const listed = at ? (list?.seen ?? []).filter(isSuccessful).flatMap(({ body }) => rowsAt(body, at)) : [];
  const found: FoundId | undefined = known
    ? { field: known.idKey, itemAt: known.itemAt, because: "as it was recorded before" }
    : findId({ reads, creates, listed, segment });
  const records = [...listed, ...recordsOf(reads, found?.itemAt ?? [])];
  if (
    !found ||
    (records.length === 0 && !known) ||
    reads?.seen.some((one) => isSuccessful(one) && !isJsonObject(one.body))
  )
    return undefined;
  const hiddenParents = hiddenIn(listSteps, records);
  if (hiddenParents.size > 0 && hasRepeatedIds(list, { at: at ?? [], idKey: found.field })) return undefined;
  return {
    segment,
    name: known?.name,
    listSteps,
    itemSteps,
    listPath,
    itemPath,
    idKey: found.field,
    at: at ?? [],
    itemAt: found.itemAt ?? [],
    otherLists: new Map(),
    hiddenParents,
    records,
    hasItems,
    reasons: reasonsFor(found, { at, list }),
  };
}

function reasonsFor(
  { field, because }: FoundId,
  { at, list }: { readonly at: readonly string[] | undefined; readonly list: SeenOperation | undefined },
): Omit<Reason, "about">[] {
  const place = at && at.length > 0 ? `in ${at.join(".")}` : "the body";
  const why = at && at.length > 0 ? "the only array of objects in the body" : "the body is an array of objects";
  return [
    ...(list && at ? [{ guess: "list" as const, value: place, because: why }] : []),
    { guess: "id", value: field, because },
  ];
}

/** The path of single records; where none was seen, as it usually is. */
function itemStepsBelow(operations: SeenOperations, list: readonly PathStep[], segment: string): readonly PathStep[] {
  const prefix = pathText(list);
  for (const { steps } of operations.values()) {
    const isBelow = steps.length === list.length + 1 && steps.at(-1)?.kind === "wildcard";
    if (isBelow && pathText(steps.slice(0, -1)) === prefix) return steps;
  }
  const taken = list.some((step) => step.kind === "wildcard" && step.name === `${singularOf(segment)}Id`);
  return [...list, { kind: "wildcard", name: taken ? "id" : `${singularOf(segment).replace(/\W+/g, "_")}Id` }];
}

/** Where all responses of an operation have their list; undefined where one has none. */
function listPlace(list: SeenOperation | undefined): readonly string[] | undefined {
  const bodies = (list?.seen ?? []).filter(isSuccessful).map(({ body }) => findList(body));
  const filled = bodies.find((spot) => spot && spot.rows.length > 0) ?? bodies[0];
  if (!filled) return undefined;
  const isSame = (spot: (typeof bodies)[number]): boolean =>
    spot !== undefined && (spot.rows.length === 0 || spot.at.join("\0") === filled.at.join("\0"));
  return bodies.every(isSame) ? filled.at : undefined;
}

function recordsOf(reads: SeenOperation | undefined, itemAt: readonly string[]): JsonObject[] {
  return (reads?.seen ?? []).filter(isSuccessful).flatMap(({ body }) => {
    let value = body;
    for (const name of itemAt) value = isJsonObject(value) ? value[name] : undefined;
    return isJsonObject(value) ? [value] : [];
  });
}

/** The wildcards before a list that no field of its records is named like. */
function hiddenIn(steps: readonly PathStep[], records: readonly JsonObject[]): ReadonlyMap<number, string> {
  const hidden = new Map<number, string>();
  let position = 0;
  for (const [at, step] of steps.entries()) {
    if (step.kind !== "wildcard") continue;
    const before = steps[at - 1];
    const noun = before?.kind === "fixed" ? singularOf(before.text) : "";
    const names = [step.name, ...(noun === "" ? [] : [`${noun}_${step.name}`, `${noun}_id`, noun])];
    const fields = new Set(records.flatMap((record) => Object.keys(record)));
    const isScalar = (key: string): boolean =>
      records.every((one) => !isJsonObject(one[key]) && !Array.isArray(one[key]));
    if (!names.some((name) => findAlike(fields, name, isScalar) !== undefined)) hidden.set(position, step.name);
    position++;
  }
  return hidden;
}

/** Whether the same id is another record below another parent. */
function hasRepeatedIds(
  list: SeenOperation | undefined,
  { at, idKey }: { readonly at: readonly string[]; readonly idKey: string },
): boolean {
  const parents = new Map<string, string>();
  return (list?.seen ?? []).filter(isSuccessful).some(({ body, values }) =>
    rowsAt(body, at).some((record) => {
      const id = String(record[idKey]);
      const parent = values.join("/");
      const known = parents.get(id) ?? parent;
      parents.set(id, known);
      return known !== parent;
    }),
  );
}

/**
 * A list below a parent is another one of a collection whose records have a field for the parent. One at a word below the
 * list, such as `/orders/open`, is a view of it.
 */
function joinLists(drafts: readonly Draft[], operations: SeenOperations): Draft[] {
  return drafts.filter((draft) => {
    const isAlone = !draft.hasItems && !operations.has(seenKey("POST", draft.listPath));
    if (!isAlone || draft.hiddenParents.size > 0 || draft.name !== undefined) return true;
    const isNested = draft.listSteps.some(({ kind }) => kind === "wildcard");
    const owner = drafts.find(
      (other) =>
        other.listSteps.length < draft.listSteps.length &&
        other.idKey === draft.idKey &&
        (isNested ? isSameNoun(other.segment, draft.segment) : draft.listPath.startsWith(`${other.listPath}/`)) &&
        areAlike(other.records[0], draft.records[0]),
    );
    if (isNested) owner?.otherLists.set(draft.listPath, draft.at);
    return owner === undefined;
  });
}

/** Whether two records share at least half of the fields of the smaller one. */
function areAlike(one: JsonObject | undefined, other: JsonObject | undefined): boolean {
  const [small = [], large = []] = [Object.keys(one ?? {}), Object.keys(other ?? {})].sort(
    (a, b) => a.length - b.length,
  );
  return small.length > 0 && small.filter((name) => large.includes(name)).length * 2 >= small.length;
}
