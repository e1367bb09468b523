import { stringifyJson } from "../../base/json/json.ts";
import { createProjection } from "../../query/fields.ts";
import { arrangeRows } from "../../query/group-rows.ts";
import type { Query } from "../../query/query.ts";
import { type CountedWindow, positionsOf } from "../../query/window.ts";
import { explainQuery } from "../../store/explain-query.ts";
import type { FindOptions, Found, GroupQuery, Reads } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import type { DataService } from "../contract.ts";
import {
  isCurrent,
  type PlannedRelation,
  planRelations,
  type RelatedCollection,
  simpleRelations,
} from "../relations/plan-relations.ts";
import { readWishes } from "../relations/relation-wishes.ts";
import { renderWithRelations } from "../relations/render-relations.ts";
import type { Reply } from "../response/reply.ts";
import { isBeyondLast, lastPage } from "./envelope.ts";
import { joinTexts } from "./join-texts.ts";
import { projectedTexts } from "./projected-texts.ts";

export interface ListSearch<Q = Query> {
  readonly collection: string;
  readonly query: Q;
  readonly find: FindOptions;
}

/** The elements of a list as one text, and what the headers say of it. */
export interface Listed {
  readonly text: string;
  /** Those in the text, in the form of the store or of the shape; undefined for rows, parts of records and relations. */
  readonly records?: readonly StoredRecord[] | undefined;
  readonly window: Query["window"];
  readonly total: number;
  readonly stamp: string;
  readonly next?: string | undefined;
  readonly ignored?: readonly string[] | undefined;
  /** Whether the numbers of pages and records are around the elements. */
  readonly isEnveloped: boolean | undefined;
}

/** Records with relations, parts of them, or in an envelope. Undefined when another process has changed the foreign keys. */
export async function listRecords(
  service: DataService,
  search: ListSearch,
  related: RelatedCollection | undefined,
): Promise<Listed | undefined> {
  const { query } = search;
  const found = related ? await findWithRelations(service, search, related) : await findPlain(service, search);
  if (!found) return undefined;
  const { window, isEnveloped } = query;
  const { total } = found;
  if (isEnveloped && window.kind === "page" && isBeyondLast({ window, total })) {
    const clamped = { ...query, window: { ...window, page: lastPage(window, total) } };
    return listRecords(service, { ...search, query: clamped }, related);
  }
  const { stamp = "", next, ignored } = found;
  const text = found.text ?? (await joinTexts(found.records, (record) => record.text));
  return { text, window, total, stamp, next, ignored, isEnveloped };
}

async function findPlain({ store }: DataService, { collection, query, find }: ListSearch): Promise<Found> {
  if (!query.fields) return store.find(collection, query, find);
  const found = await store.find(collection, query, find);
  const text = await joinTexts(found.records, projectedTexts(query.fields, found.records.length));
  return { ...found, text };
}

/** Undefined when another process has changed the foreign keys meanwhile. */
async function findWithRelations(
  service: DataService,
  { collection, query, find }: ListSearch,
  request: RelatedCollection,
): Promise<Found | undefined> {
  const { store } = service;
  const plan = await planRelations(service, request);
  const found = await store.find(collection, query, { ...find, with: simpleRelations(plan) });
  if (!(await isCurrent(plan, service, request))) return undefined;
  const project = query.fields && createProjection(query.fields);
  const { records, related } = found;
  const texts = await renderWithRelations(store, { plan, records, related, project });
  return { ...found, text: await joinTexts(texts, (text) => text) };
}

/** The rows that records are grouped into. */
export async function listRows(
  { store }: DataService,
  { collection, query, find }: ListSearch<GroupQuery>,
): Promise<Listed> {
  try {
    return await listGroups(store, { collection, query, find });
  } finally {
    query.payer?.account.release();
  }
}

async function listGroups(store: Reads, { collection, query, find }: ListSearch<GroupQuery>): Promise<Listed> {
  const { rows, stamp, ignored } = await store.group(collection, query, find);
  const arranged = await arrangeRows(rows, query);
  const total = arranged.length;
  let window = query.window as CountedWindow;
  if (query.isEnveloped && window.kind === "page") {
    window = { ...window, page: Math.min(window.page, lastPage(window, total)) };
  }
  const { from, to } = positionsOf(window, total);
  const text = await joinTexts(arranged.slice(from, to), (row) => stringifyJson(row));
  return { text, window, total, stamp: stamp!, ignored, isEnveloped: query.isEnveloped };
}

/** `Prefer: explain`: the plan of the query instead of the records. */
export async function explain(
  service: DataService,
  { collection, query }: Omit<ListSearch, "find">,
  isStrict: boolean,
): Promise<Reply> {
  const { store } = service;
  const explanation = await explainQuery(store, { collection, query });
  const plan = await planRelations(service, { collection, wishes: readWishes(service, query) });
  const json = JSON.stringify({ ...explanation, ...(plan.length > 0 && { relations: explainRelations(plan) }) });
  const applied = isStrict ? "handling=strict, explain" : "explain";
  return { status: 200, json, headers: { "Preference-Applied": applied } };
}

/** The number of matches where a cursor leaves them uncounted. */
export async function countAll(store: DataService["store"], { collection, query }: ListSearch): Promise<number> {
  const { total } = await store.find(collection, { ...query, sort: [], window: { kind: "slice", start: 0, end: 0 } });
  return total;
}

/** Says for each relation of a plan what it adds, and by which key: `products.company: parent by company_id`. */
function explainRelations(plan: readonly PlannedRelation[], above = ""): string[] {
  return plan.flatMap((relation) => {
    const path = `${above}${relation.name}`;
    return [`${path}: ${wordsFor(relation)}`, ...explainRelations(relation.below, `${path}.`)];
  });
}

function wordsFor({ link }: PlannedRelation): string {
  if (!link) return "no such relation";
  if (link.from.isList) return `records listed in ${link.from.field}`;
  if (link.isOne) return `parent by ${link.from.field}`;
  return `children by ${link.to.map(({ field }) => field).join(" or ")}`;
}
