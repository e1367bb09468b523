import type { Json, JsonObject } from "../../../base/json/json.ts";
import { nameCollections } from "../../../openapi/bind/collection-names.ts";
import { type PathStep, pathText } from "../../../openapi/bind/path-shape.ts";
import { singularOf } from "../../../openapi/bind/words.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import { findHiddenParents, type PlacedRecord } from "./hidden-parents.ts";
import { type FoundId, findId, hiddenId, type IdSources } from "./id-key.ts";
import { joinOtherLists, mayListSame } from "./join-other-lists.ts";
import { type SeenOperation, type SeenOperations, seenKey } from "./operations.ts";
import { turnsPages } from "./paging-names.ts";
import type { Reason } from "./reason.ts";
import { isKeyValue, isSuccessful } from "./seen.ts";
import type { CollectionDraft, SeenCollection } from "./seen-collection.ts";
import { findIds, findList, idsAt, recordInBody, rowsAt } from "./spots.ts";

/** What an earlier recording says of a collection, by the path of its list. */
export type EarlierCollections = ReadonlyMap<
  string,
  Pick<SeenCollection, "name" | "idKey" | "hidesId" | "at" | "itemAt">
>;

/** Finds the collections among the operations, with the reasons. */
export function findCollections(
  operations: SeenOperations,
  { earlier, refused }: { readonly earlier: EarlierCollections; readonly refused: ReadonlyMap<string, string> },
): { readonly collections: readonly SeenCollection[]; readonly reasons: readonly Reason[] } {
  const paths = new Map<string, readonly PathStep[]>();
  for (const { steps } of operations.values()) {
    const list = steps.at(-1)?.kind === "wildcard" ? steps.slice(0, -1) : steps;
    if (list.at(-1)?.kind === "fixed" && !refused.has(pathText(list))) paths.set(pathText(list), list);
  }
  const sure = [...paths.values()].flatMap((steps) => readDraft(steps, { operations, earlier }) ?? []);
  const named = sure.filter(({ hidesId }) => !hidesId);
  const drafted = new Set([...named, ...sure.filter(({ hasItems }) => hasItems)].map(({ listPath }) => listPath));
  const lists = [...paths].flatMap(([path, steps]) => {
    const owner = drafted.has(path) ? undefined : named.find((one) => mayListSame(one, steps));
    return (owner && readDraft(steps, { operations, earlier, lentId: owner.idKey })) ?? [];
  });
  const drafts = joinOtherLists(sure, lists);
  const names = nameCollections(drafts.map((draft) => ({ ...draft, steps: draft.listSteps })));
  const collections = drafts.map((draft, at): SeenCollection => ({ ...draft, name: names[at] ?? draft.segment }));
  const reasons = drafts.flatMap((draft, at) => draft.reasons.map((one) => ({ about: names[at] ?? "", ...one })));
  return { collections, reasons };
}

interface Known {
  readonly operations: SeenOperations;
  readonly earlier: EarlierCollections;
  /** The id of another list that may show the same records, where its own say none. */
  readonly lentId?: string;
}

function readDraft(
  listSteps: readonly PathStep[],
  { operations, earlier, lentId }: Known,
): CollectionDraft | undefined {
  const last = listSteps.at(-1);
  const segment = last?.kind === "fixed" ? last.text : "";
  const listPath = pathText(listSteps);
  const itemSteps = itemStepsBelow(operations, listSteps, segment);
  const itemPath = pathText(itemSteps);
  const known = earlier.get(listPath);
  const of = (method: string, path: string) => operations.get(seenKey(method, path));
  const [list, creates, reads] = [of("GET", listPath), of("POST", listPath), of("GET", itemPath)];
  const hasItems = ["GET", "PUT", "PATCH", "DELETE"].some((method) => of(method, itemPath) !== undefined);
  const ids = idsPlace(list, reads, known?.at);
  const records = ids ? undefined : (known?.at ?? listPlace(list));
  const at = records ?? ids;
  if ((list?.seen.some(isSuccessful) && !at) || (!at && !hasItems)) return undefined;
  const pages = (list?.seen ?? []).filter(isSuccessful);
  const inLists = records ? pages.flatMap((one) => placed(one, rowsAt(one.body, records))) : [];
  const listed = inLists.map(({ record }) => record);
  const found: FoundId | undefined = known
    ? { field: known.idKey, itemAt: known.itemAt, because: "as it was recorded before", isHidden: known.hidesId }
    : lentId === undefined
      ? ownId({ reads, creates, listed, segment }, { pages, at: records ?? [] })
      : { field: lentId, itemAt: undefined, because: "the id of the same records elsewhere" };
  if (lentId !== undefined && !listed.every((one) => isKeyValue(one[lentId]))) return undefined;
  const shown = [...inLists, ...recordsOf(reads, found?.itemAt ?? [])];
  if (
    !found ||
    (shown.length === 0 && !known) ||
    reads?.seen.some((one) => isSuccessful(one) && !recordInBody(one.body, []))
  )
    return undefined;
  const hiddenParents = findHiddenParents(listSteps, shown);
  if (hiddenParents.size > 0 && hasRepeatedIds(list, { at: at ?? [], idKey: found.field })) return undefined;
  return {
    segment,
    name: known?.name,
    listSteps,
    itemSteps,
    listPath,
    itemPath,
    idKey: found.field,
    hidesId: found.isHidden === true,
    listsIds: ids !== undefined,
    at: at ?? [],
    itemAt: found.itemAt ?? [],
    otherLists: new Map(),
    hiddenParents,
    listed,
    records: shown.map(({ record }) => record),
    hasItems,
    reasons: reasonsFor(found, { at, list }),
  };
}

interface Pages {
  readonly pages: SeenOperation["seen"];
  readonly at: readonly string[];
}

/** The id of the records that a list and its items show; a hidden one where they show none. */
function ownId(sources: IdSources, { pages, at }: Pages): FoundId | undefined {
  const found = findId(sources);
  const isUnique = found && !pages.some(({ body }) => hasTwins(rowsAt(body, at), found.field));
  if (isUnique) return found;
  const { reads, listed } = sources;
  const isRead = pages.length > 0 && reads?.seen.some(isSuccessful) === true;
  const areTurned = listed.length > 0 && pages.some(({ query }) => query.some(([name]) => turnsPages(name)));
  return isRead || areTurned ? hiddenId({ reads, listed }) : undefined;
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
  const bodies = (list?.seen ?? []).filter(isSuccessful).map(({ body }) => body);
  const spots = bodies.map(findList);
  const filled = spots.find((spot) => spot && spot.rows.length > 0) ?? spots[0];
  if (!filled) return undefined;
  const isSame = (body: Json | undefined, at: number): boolean => {
    const spot = spots[at];
    if (!spot) return isEmptyAt(body, filled.at);
    return spot.rows.length === 0 || spot.at.join("\0") === filled.at.join("\0");
  };
  return bodies.every(isSame) ? filled.at : undefined;
}

function isEmptyAt(body: Json | undefined, at: readonly string[]): boolean {
  const value = body === undefined ? undefined : valueAtPointer(body, at);
  return Array.isArray(value) && value.length === 0;
}

/** Where a list shows the ids of the records that were read, now or before: at least one of them is in it. */
function idsPlace(
  list: SeenOperation | undefined,
  reads: SeenOperation | undefined,
  known: readonly string[] | undefined,
): readonly string[] | undefined {
  const pages = (list?.seen ?? []).filter(isSuccessful);
  const at = findIds(pages[0]?.body);
  if (!at || !pages.every(({ body }) => findIds(body)?.join() === at.join())) return undefined;
  const ids = new Set(pages.flatMap(({ body }) => idsAt(body, at)).map(String));
  const isRead = reads?.seen.some((one) => isSuccessful(one) && ids.has(one.values.at(-1) ?? "")) === true;
  return isRead || (ids.size > 0 && known?.join() === at.join()) ? at : undefined;
}

function recordsOf(reads: SeenOperation | undefined, itemAt: readonly string[]): PlacedRecord[] {
  return (reads?.seen ?? []).filter(isSuccessful).flatMap((one) => {
    const record = recordInBody(one.body, itemAt);
    return record ? placed(one, [record]) : [];
  });
}

function placed({ values }: Pick<PlacedRecord, "values">, records: readonly JsonObject[]): PlacedRecord[] {
  return records.map((record) => ({ record, values }));
}

/** Whether two records of one list have the same id, which is none then. */
function hasTwins(records: readonly JsonObject[], idKey: string): boolean {
  const ids = records.flatMap((one) => (isKeyValue(one[idKey]) ? String(one[idKey]) : []));
  return new Set(ids).size < ids.length;
}

/** Whether the same id is another record below another parent. */
function hasRepeatedIds(
  list: SeenOperation | undefined,
  { at, idKey }: { readonly at: readonly string[]; readonly idKey: string },
): boolean {
  const parents = new Map<string, string>();
  return (list?.seen ?? []).filter(isSuccessful).some(({ body, values }) =>
    rowsAt(body, at).some((record) => {
      if (!isKeyValue(record[idKey])) return false;
      const id = String(record[idKey]);
      const parent = values.join("/");
      const known = parents.get(id) ?? parent;
      parents.set(id, known);
      return known !== parent;
    }),
  );
}
