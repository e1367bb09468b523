import { StandinError } from "../../../errors.ts";
import type { JsonObject } from "../../../json.ts";
import { inSlices } from "../../../slices.ts";
import { idFromBody, randomId } from "../../ids.ts";
import { planChange } from "../../memory/plan.ts";
import type { Change, Write } from "../../store.ts";
import { areLight, renderTexts } from "../../stored-record.ts";
import { Outdated, type Sql } from "../connections/connection.ts";
import type { Database } from "../connections/postgres-database.ts";
import { run, sql } from "../sql/fragment.ts";
import type { Catalogue } from "../tables/catalogue.ts";
import { decodeText, encodeText } from "../tables/coded-text.ts";
import { announceSql } from "./changes.ts";
import { editSql } from "./edits.ts";
import { fetchContent, fetchDependents, fetchRecords, singletonOf } from "./fetch.ts";
import { Draft, DraftCollection, Unfetched } from "./planned-database.ts";

/** What a batch of writes needs from its store. */
export interface WriteTools {
  readonly database: Database;
  readonly idKey: string;
  readonly catalogue: Catalogue;
  readonly channel: string;
}

/** What became of one write: the change it made, or why it was refused. */
export type Outcome = { readonly change: Change } | { readonly refusal: unknown };

/** A batch that has been planned and sent, but of which nobody knows yet whether it was kept. */
export interface Attempt {
  /** Kept with the writes, so that it can be told whether they were. */
  readonly token: string;
  /** The number of the transaction, from when it has one. */
  transaction: string | undefined;
  outcomes: Outcome[];
  isCommitting: boolean;
}

/**
 * Carries out writes in one transaction, each on what the ones before have made, under the locks of their members. A write
 * that must not happen is refused by itself; the others go on.
 */
export async function writeBatch(tools: WriteTools, writes: readonly Write[], attempt: Attempt): Promise<void> {
  const names = [...new Set(writes.flatMap(namesOf))].sort();
  // Drawn once, so that planning again asks for the same.
  const spareIds = writes.flatMap((write) => (write.kind === "create" ? write.bodies.map(() => randomId()) : []));
  await tools.database.transaction(async (database, commit) => {
    const known = names.map((name) => tools.catalogue.get(name)).filter((member) => member !== undefined);
    const wanted = idsByCollection(writes, tools.idKey);
    const creates = new Set(writes.flatMap((write) => (write.kind === "create" ? [write.collection] : [])));
    // All at once: what is asked for behind the lock is answered once the lock is held.
    const [locked, ...contents] = await Promise.all([
      run(
        database,
        sql`SELECT name, kind, number, version, edition, count, next_slot, body, pg_current_xact_id()::text AS transaction
        FROM members WHERE name = ANY(${names.map(encodeText)}::text[]) ORDER BY name FOR UPDATE`,
      ),
      ...known.map((member) =>
        fetchContent(database, tools.idKey, member, wanted.get(member.name) ?? [], creates.has(member.name)),
      ),
    ]);
    attempt.transaction = locked[0]?.transaction as string | undefined;
    // A name that neither the catalogue nor the database has is nobody's; planning says so.
    if (locked.length !== known.length) throw new Outdated();
    const rows = new Map(locked.map((row) => [decodeText(row.name as string), row]));
    const draft = new Draft(Math.max(0, ...locked.map((row) => Number(row.version))));
    for (const [at, member] of known.entries()) {
      const row = rows.get(member.name);
      if (row?.number !== member.number || String(row.edition) !== member.edition) throw new Outdated();
      if (member.kind === "singleton") {
        draft.addSingleton(member.name, singletonOf(row));
        continue;
      }
      const { records, facts } = contents[at]!;
      const collection = new DraftCollection(member.name, tools.idKey, Number(row.next_slot), facts, spareIds);
      for (const id of wanted.get(member.name) ?? []) collection.fetched(id, records.get(id));
      draft.addCollection(collection);
    }
    await fetchDependents(database, tools.catalogue, writes, draft);
    attempt.outcomes = await planAll(database, tools, writes, draft);
    const edits = attempt.outcomes.flatMap((outcome) => ("change" in outcome ? outcome.change.edits : []));
    const changes = attempt.outcomes.flatMap((outcome) => ("change" in outcome ? [outcome.change] : []));
    const statements = known.flatMap((member) => editSql(member, edits, draft));
    if (changes.length > 0 && tools.catalogue.isAnnouncing) statements.push(announceSql(tools.channel, changes));
    if (statements.length > 0) statements.push(sql`INSERT INTO writes (token) VALUES (${attempt.token})`);
    attempt.isCommitting = true;
    await Promise.all([...statements.map((statement) => run(database, statement)), commit()]);
  });
}

function namesOf(write: Write): string[] {
  if (!("collection" in write)) return [write.name];
  if (write.kind !== "remove") return [write.collection];
  return [write.collection, ...write.dependents.map(({ collection }) => collection)];
}

/** The ids that the writes are about, as texts. */
function idsByCollection(writes: readonly Write[], idKey: string): Map<string, string[]> {
  const ids = new Map<string, Set<string>>();
  const add = (collection: string, id: string): void => {
    const present = ids.get(collection);
    if (present) present.add(id);
    else ids.set(collection, new Set([id]));
  };
  for (const write of writes) {
    if (write.kind === "create") {
      for (const body of write.bodies) {
        const id = broughtId(body, idKey);
        if (id !== undefined) add(write.collection, id);
      }
    } else if ("id" in write) add(write.collection, write.id);
  }
  return new Map([...ids].map(([name, set]) => [name, [...set]]));
}

function broughtId(body: JsonObject, idKey: string): string | undefined {
  try {
    const id = idFromBody(body, idKey);
    return id === undefined ? undefined : String(id);
  } catch {
    // Planning refuses it.
    return undefined;
  }
}

async function planAll(
  database: Sql,
  { catalogue, idKey }: WriteTools,
  writes: readonly Write[],
  draft: Draft,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const write of writes) {
    for (;;) {
      try {
        const change = planChange(draft, write);
        if (!areLight(change.edits)) await inSlices(renderTexts(change.edits));
        draft.commit(change);
        outcomes.push({ change });
        break;
      } catch (thrown) {
        if (thrown instanceof Unfetched) {
          const records = await fetchRecords(database, idKey, catalogue.get(thrown.collection)!, [thrown.id]);
          draft.collection(thrown.collection)!.fetched(thrown.id, records.get(thrown.id));
          continue;
        }
        if (!(thrown instanceof StandinError)) throw thrown;
        outcomes.push({ refusal: thrown });
        break;
      }
    }
  }
  return outcomes;
}
