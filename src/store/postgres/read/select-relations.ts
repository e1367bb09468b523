import { inSlices, STEP, type Work } from "../../../base/slices.ts";
import { meetsAll } from "../../../query/filter.ts";
import { textOf } from "../../../query/text.ts";
import { idOf } from "../../ids.ts";
import { addToGroups, keyTexts } from "../../key-texts.ts";
import { type Key, MAX_RELATED, type Relation } from "../../store.ts";
import type { StoredRecord } from "../../stored-record.ts";
import type { Statements } from "../connections/connection.ts";
import { OutdatedCatalogue } from "../connections/connection-errors.ts";
import { all } from "../sql/conditions.ts";
import { Fragment, join, name, sql } from "../sql/fragment.ts";
import { type Catalogue, hasTrait, type KnownMember } from "../tables/catalogue.ts";
import { encodeText } from "../tables/coded-text.ts";
import { type FoundRow, type RecordRow, recordFromRow } from "../tables/row.ts";
import { conditionSql } from "./where-sql.ts";

/** No parameter: the database would plan for an unknown number. */
export const RELATED_LIMIT = new Fragment([`LIMIT ${MAX_RELATED + 1}`], []);

/** A row of a page with related records: one of the page, or a record of a relation. */
export type PartRow = FoundRow & {
  readonly part: number;
  /** Of the related members, in rows of the page. */
  readonly editions: string | null;
};

/** A page of records and all related records in one statement; `part` is 0 for the page, then 1 for the first relation. */
export function withRelatedSql(page: Fragment, related: readonly RelatedPart[]): Fragment {
  const parts = related.map(relatedSql);
  const editions = related.map(({ member }) => member.number);
  return sql`WITH page AS MATERIALIZED (SELECT p.*, row_number() OVER () AS place FROM (${page}) AS p)
    SELECT 0 AS part, edition, versions, total, slot, version, body, place,
      (SELECT string_agg(number || '.' || edition, ' ' ORDER BY number) FROM members WHERE number = ANY(${editions}::int[])) AS editions
    FROM page ${join(parts, "")} ORDER BY part, place`;
}

interface RelatedPart {
  readonly part: number;
  readonly member: KnownMember;
  readonly relation: Relation;
  /** The further conditions of the relation. */
  readonly conditions: readonly Fragment[];
}

export async function relatedParts(
  database: Statements,
  { catalogue, relations }: RelatedRequest,
): Promise<RelatedPart[]> {
  const parts = relations.map(async (relation, at): Promise<RelatedPart[]> => {
    const member = collectionIn(catalogue, relation.collection);
    if (!member) return [];
    return [{ part: at + 1, member, relation, conditions: await conditionSql(database, member, relation.where) }];
  });
  return (await Promise.all(parts)).flat();
}

function relatedSql({ part, member, relation: { field, of }, conditions }: RelatedPart): Fragment {
  const texts = sql`SELECT text_of(doc -> ${encodeText(of)}::text) FROM page WHERE doc IS NOT NULL`;
  const column = member.sortColumns.get(field);
  const isIndexed = column !== undefined && !hasTrait(member, "longText") && !hasTrait(member, "nonObject");
  const belongs = isIndexed
    ? sql`${name(column)} = ANY(ARRAY(SELECT unnest(keys_of(t.text)) FROM (${texts}) AS t(text)))`
    : sql`text_of(doc -> ${encodeText(field)}::text) = ANY(ARRAY(${texts}))`;
  return sql` UNION ALL (SELECT ${part}::int, NULL, NULL, NULL, slot, version, body, slot, NULL FROM ${name(member.table)}
    WHERE ${all([belongs, ...conditions])} ${RELATED_LIMIT})`;
}

export interface RelatedRequest {
  readonly catalogue: Catalogue;
  readonly relations: readonly Relation[];
}

/** Splits the rows into the page and, for each relation, the records by the text that relates them. Pauses for others. */
export async function readRelated(rows: readonly PartRow[], { catalogue, relations }: RelatedRequest) {
  const page = rows.filter(({ part }) => part === 0);
  const known = relations.flatMap(({ collection }) => collectionIn(catalogue, collection) ?? []);
  const editions = [...new Map(known.map(({ number, edition }) => [number, edition]))].sort(([a], [b]) => a - b);
  const expected = editions.map(([number, edition]) => `${number}.${edition}`).join(" ");
  if ((page[0]?.editions ?? "") !== expected) throw new OutdatedCatalogue();
  const related = await inSlices(groupParts(rows, relations, catalogue));
  return { page, related };
}

type Groups = Map<string, StoredRecord[]>;

interface Part {
  readonly groups: Groups;
  readonly field: string;
  readonly isId: boolean;
}

function* groupParts(rows: readonly PartRow[], relations: readonly Relation[], catalogue: Catalogue): Work<Groups[]> {
  const parts = relations.map(({ collection, field }): Part => {
    return { groups: new Map(), field, isId: collectionIn(catalogue, collection)?.idKey === field };
  });
  let steps = 0;
  for (const row of rows) {
    const part = parts[row.part - 1];
    if (!part || row.body === null) continue;
    addByText(part, recordFromRow(row));
    if (++steps % STEP === 0) yield;
  }
  return parts.map(({ groups }) => groups);
}

/** An id gets only its first record. */
function addByText({ groups, field, isId }: Part, record: StoredRecord): void {
  if (isId) {
    const id = idOf(record.value, field);
    if (id !== undefined && !groups.has(textOf(id))) groups.set(textOf(id), [record]);
  } else {
    addToGroups(groups, keyTexts(record.value, { field, isList: false }), record);
  }
}

/** Groups the records of rows by the texts of a key that are wanted. */
export function* groupRelated(rows: readonly RecordRow[], key: Key, wanted: ReadonlySet<string>): Work<Groups> {
  const groups: Groups = new Map();
  const isWanted = (text: string): boolean => wanted.has(text);
  let steps = 0;
  for (const row of rows) {
    const record = recordFromRow(row);
    // Once more: the catalogue that the conditions were made with may be outdated.
    if (meetsAll(record.value, key.where)) addToGroups(groups, keyTexts(record.value, key), record, isWanted);
    if (++steps % STEP === 0) yield;
  }
  return groups;
}

function collectionIn(catalogue: Catalogue, collection: string): KnownMember | undefined {
  const member = catalogue.get(collection);
  return member?.kind === "collection" ? member : undefined;
}
