import { StandinError } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json/json.ts";
import { inSlices } from "../../../base/slices.ts";
import { membersOf } from "../../apply-as-one.ts";
import type { Completions } from "../../completion.ts";
import type { Origin } from "../../history.ts";
import { idFromBody } from "../../ids.ts";
import { planChange } from "../../memory/plan-change.ts";
import { type Receipt, RequestRepeated } from "../../receipts.ts";
import type { RecordRules } from "../../record-rules.ts";
import {
  type Change,
  closeReceipt,
  type OpenReceipt,
  type SingleWrite,
  type TransactionWrite,
  type Write,
} from "../../store.ts";
import { areFew, renderTexts } from "../../stored-record.ts";
import { PlannedTransaction } from "../../transaction.ts";
import type { Sql } from "../connections/connection.ts";
import { OutdatedCatalogue } from "../connections/connection-errors.ts";
import type { PostgresDatabase } from "../connections/postgres-database.ts";
import { notedChanges, proofSql, versionedChanges } from "../history/note-batch.ts";
import type { NotedChange, Noting } from "../history/noted-versions.ts";
import { run, sql } from "../sql/fragment.ts";
import type { Catalogue, KnownMember } from "../tables/catalogue.ts";
import { decodeText, encodeText } from "../tables/coded-text.ts";
import { singletonFromRow } from "../tables/row.ts";
import { announceSql } from "./changes.ts";
import { editSql } from "./edits.ts";
import { fetchContent } from "./fetch-records.ts";
import { FetchedCollection, PlannedDatabase, Postponed, Unfetched } from "./planned-database.ts";
import { lockReceipts, receiptSql } from "./stored-receipts.ts";

/** The parts of the store that a batch of writes needs. */
export interface WriteContext {
  readonly database: PostgresDatabase;
  readonly catalogue: Catalogue;
  readonly channel: string;
  readonly completions: Completions | undefined;
  readonly rules: RecordRules | undefined;
  readonly noting: Noting;
  /** Called with the versions of each batch that is committed. */
  onNoted(noted: readonly NotedChange[]): void;
}

/** A write, its origin, and the receipt to be kept with it, if there is one. */
export interface ReceiptedWrite {
  readonly write: Write;
  readonly origin: Origin;
  readonly receipt: OpenReceipt | undefined;
}

/** The outcome of one write: its change, or the reason of its refusal. */
export type WriteOutcome =
  | { readonly change: Change; readonly receipt?: Receipt | undefined }
  | { readonly refusal: unknown };

/** The progress of one attempt to commit a batch. */
export interface Attempt {
  /** Stored together with the writes, as proof that they were committed. */
  readonly token: string;
  /** The id of the transaction, once it has one. */
  transaction: string | undefined;
  /** Of the writes from the first one on; the others must wait for the next batch. */
  outcomes: WriteOutcome[];
  isCommitting: boolean;
  /** Whether the writes outdate the catalogue. */
  isNewEdition: boolean;
  /** The versions that the history gets. */
  noted: readonly NotedChange[];
  readonly isDryRun: boolean;
}

/** Ends a database transaction without committing it: a dry run has seen what it wanted to. */
class DryRunEnd extends Error {}

/**
 * Applies writes in one database transaction, one after the other, with their members locked. A write that must not
 * happen is refused by itself; the others go on. A transaction of ours ends the batch if it searches or removes records:
 * the writes behind it would not see that.
 */
export async function writeBatch(
  context: WriteContext,
  requested: readonly ReceiptedWrite[],
  attempt: Attempt,
): Promise<void> {
  const writes = requested.map(({ write }) => write);
  const wanted = requested.flatMap(({ receipt }) => receipt ?? []);
  const batch: Batch = {
    names: [...new Set(writes.flatMap(membersOf))].sort(),
    creates: new Set(writes.flatMap(createsIn)),
    ids: idsByCollection(writes, context.catalogue),
  };
  const inDatabase = context.database.transaction(async (database, commit) => {
    const known = batch.names.flatMap((name) => context.catalogue.get(name) ?? []);
    // Before the members: a transaction that waits here keeps none of them from others.
    const repeated = wanted.length > 0 ? await lockReceipts(database, wanted) : NO_RECEIPTS;
    const { planned, transaction } = await lockAndFetch(database, context, { ...batch, known });
    attempt.transaction = transaction;
    attempt.outcomes = [];
    for (const one of requested) {
      const outcome = await outcomeOf(one, { database, context, planned, repeated });
      if (!outcome) break;
      attempt.outcomes.push(outcome);
      if (one.write.kind === "transaction" && (planned.isSearched || hasRemovals(outcome))) break;
    }
    if (attempt.isDryRun) throw new DryRunEnd();
    const edits = attempt.outcomes.flatMap((outcome) => ("change" in outcome ? outcome.change.edits : []));
    const changed = attempt.outcomes.flatMap((outcome, at) =>
      "change" in outcome && outcome.change.edits.length > 0
        ? [{ change: outcome.change, origin: requested[at]?.origin ?? {} }]
        : [],
    );
    const changes = changed.map(({ change }) => change);
    const parts = known.map((member) => editSql(member, edits, planned));
    const statements = parts.flatMap((part) => part.statements);
    attempt.isNewEdition = parts.some((part) => part.isNewEdition);
    if (changes.length > 0 && context.catalogue.isAnnouncing) statements.push(announceSql(context.channel, changes));
    for (const outcome of attempt.outcomes) {
      if ("receipt" in outcome && outcome.receipt) statements.push(...receiptSql(outcome.receipt));
    }
    const idKeyOf = (name: string): string => context.catalogue.get(name)?.idKey ?? "";
    attempt.noted = await notedChanges(context.noting, changed, idKeyOf);
    const { token, noted } = attempt;
    const hasChanges = changes.length > 0;
    if (statements.length > 0) statements.push(proofSql(context.noting, { token, noted, hasChanges }));
    attempt.isCommitting = true;
    const sent = statements.map((statement) => run(database, statement));
    await Promise.all([...sent, commit()]);
    if (noted.length === 0) return;
    const versioned = versionedChanges(changed, noted, (await sent.at(-1)) ?? []);
    attempt.outcomes = attempt.outcomes.map((outcome) =>
      "change" in outcome ? { ...outcome, change: versioned.get(outcome.change) ?? outcome.change } : outcome,
    );
  });
  await inDatabase.catch((thrown: unknown) => {
    if (!(thrown instanceof DryRunEnd)) throw thrown;
  });
}

const NO_RECEIPTS: ReadonlyMap<string, Receipt> = new Map();

function hasRemovals(outcome: WriteOutcome): boolean {
  return "change" in outcome && outcome.change.edits.some(({ after }) => !after);
}

/** The collections that may get new records: facts about their ids must be fetched. */
function createsIn(write: Write): readonly string[] {
  if (write.kind === "transaction") return write.members;
  return write.kind === "create" ? [write.collection] : [];
}

interface Batch {
  readonly creates: ReadonlySet<string>;
  /** The members that the writes change. */
  readonly names: readonly string[];
  /** The ids that the writes refer to, by collection. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
}

interface LockedRow {
  readonly name: string;
  readonly number: number;
  readonly version: string;
  readonly edition: string;
  readonly next_slot: string;
  readonly body: string;
  /** The id of the transaction that locks it. */
  readonly transaction: string;
}

/** Locks the members of a batch, and fetches the records that its writes refer to. */
async function lockAndFetch(
  database: Sql,
  { completions }: WriteContext,
  { names, creates, known, ids: wanted }: Batch & { readonly known: readonly KnownMember[] },
): Promise<{ planned: PlannedDatabase; transaction: string | undefined }> {
  // Sent together: the database runs the reads once it holds the locks.
  const [locked, ...contents] = await Promise.all([
    run<LockedRow>(
      database,
      sql`SELECT name, number, version, edition, next_slot, body, pg_current_xact_id()::text AS transaction
        FROM members WHERE name = ANY(${names.map(encodeText)}::text[]) ORDER BY name FOR UPDATE`,
    ),
    ...known.map((member) => {
      const { name } = member;
      return fetchContent(database, { member, ids: wanted.get(name) ?? [], isCreating: creates.has(name) });
    }),
  ]);
  // Planning refuses a name that neither the catalogue nor the database has.
  if (locked.length !== known.length) throw new OutdatedCatalogue();
  const rows = new Map(locked.map((row) => [decodeText(row.name), row]));
  const planned = new PlannedDatabase(Math.max(0, ...locked.map((row) => Number(row.version))));
  for (const [at, member] of known.entries()) {
    const { name } = member;
    const row = rows.get(name);
    if (row?.number !== member.number || row.edition !== member.edition) throw new OutdatedCatalogue();
    if (member.kind === "singleton") {
      planned.addSingleton(name, singletonFromRow(row));
      continue;
    }
    const { records, facts } = contents[at] ?? {};
    const completion = completions?.get(name);
    const collection = new FetchedCollection({ member, nextSlot: Number(row.next_slot), facts, completion });
    for (const id of wanted.get(name) ?? []) collection.addFetched(id, records?.get(id));
    planned.addCollection(collection);
  }
  return { planned, transaction: locked[0]?.transaction };
}

/** The ids that the writes refer to, as texts. */
function idsByCollection(writes: readonly Write[], catalogue: Catalogue): Map<string, string[]> {
  const ids = new Map<string, Set<string>>();
  const add = (collection: string, id: string): void => {
    const present = ids.get(collection);
    if (present) present.add(id);
    else ids.set(collection, new Set([id]));
  };
  for (const write of writes) {
    if (write.kind === "transaction") {
      for (const [collection, known] of write.ids ?? []) for (const id of known) add(collection, id);
    } else if (write.kind === "create") {
      const idKey = catalogue.get(write.collection)?.idKey;
      for (const body of write.bodies) {
        const id = idKey === undefined ? undefined : idInBody(body, idKey);
        if (id !== undefined) add(write.collection, id);
      }
    } else if ("id" in write) add(write.collection, write.id);
  }
  return new Map([...ids].map(([name, set]) => [name, [...set]]));
}

function idInBody(body: JsonObject, idKey: string): string | undefined {
  try {
    const id = idFromBody(body, idKey);
    return id === undefined ? undefined : String(id);
  } catch {
    // Planning refuses it.
    return undefined;
  }
}

interface Planning {
  readonly database: Sql;
  readonly context: WriteContext;
  readonly planned: PlannedDatabase;
  readonly repeated: ReadonlyMap<string, Receipt>;
}

/** Plans a write as if those before it were committed; undefined if they must be. */
async function outcomeOf({ write, receipt }: ReceiptedWrite, planning: Planning): Promise<WriteOutcome | undefined> {
  const kept = receipt && planning.repeated.get(receipt.key);
  if (kept) return { refusal: new RequestRepeated(kept) };
  try {
    const change = await (write.kind === "transaction"
      ? planTransaction(write, planning)
      : planSingle(write, planning));
    if (!areFew(change.edits)) await inSlices(renderTexts(change.edits));
    const closed = receipt && closeReceipt(receipt, change);
    planning.planned.commit(change);
    return { change, receipt: closed };
  } catch (thrown) {
    if (thrown instanceof Postponed) return undefined;
    if (!(thrown instanceof StandinError)) throw thrown;
    return { refusal: thrown };
  }
}

async function planTransaction({ run }: TransactionWrite, planning: Planning): Promise<Change> {
  const { planned, context } = planning;
  const transaction = new PlannedTransaction(planned, context.rules, (thrown) => fetchMissing(thrown, planning));
  await inSlices(run(transaction));
  return inSlices(transaction.change());
}

async function planSingle(write: SingleWrite, planning: Planning): Promise<Change> {
  for (;;) {
    try {
      const change = planChange(planning.planned, write);
      // Writes that must be compared with other records come as transactions.
      const judging = planning.context.rules?.judgeAlone(change.edits, write.lenience);
      if (judging) await inSlices(judging);
      return change;
    } catch (thrown) {
      await fetchMissing(thrown, planning);
    }
  }
}

/** Fetches the records that planning turned out to need; throws everything else that was thrown. */
async function fetchMissing(thrown: unknown, { database, context }: Planning): Promise<void> {
  if (!(thrown instanceof Unfetched)) throw thrown;
  const { payment, fetch } = thrown;
  await (payment ? context.database.watched(database, payment, fetch) : fetch(database));
}
