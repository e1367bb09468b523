import { StandinError } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json/json.ts";
import { inSlices } from "../../../base/slices.ts";
import type { Completions } from "../../completion.ts";
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
import { areLight, renderTexts } from "../../stored-record.ts";
import { type FetchMissing, PlannedTransaction } from "../../transaction.ts";
import type { Sql } from "../connections/connection.ts";
import { OutdatedCatalogue } from "../connections/connection-errors.ts";
import type { PostgresDatabase } from "../connections/postgres-database.ts";
import { run, sql } from "../sql/fragment.ts";
import type { Catalogue, KnownMember } from "../tables/catalogue.ts";
import { decodeText, encodeText } from "../tables/coded-text.ts";
import { singletonFromRow } from "../tables/row.ts";
import { announceSql } from "./changes.ts";
import { editSql } from "./edits.ts";
import { fetchContent, fetchDependents, fetchRecords } from "./fetch-records.ts";
import { membersOf } from "./judged-write.ts";
import { FetchedCollection, PlannedDatabase, Unfetched } from "./planned-database.ts";
import { lockReceipts, receiptSql } from "./stored-receipts.ts";
import { FetchedBase, UnfetchedRecords } from "./transaction-base.ts";

/** The parts of the store that a batch of writes needs. */
export interface WriteContext {
  readonly database: PostgresDatabase;
  readonly catalogue: Catalogue;
  readonly channel: string;
  readonly completions: Completions | undefined;
  readonly rules: RecordRules | undefined;
}

/** A write, and the receipt to be kept with it, if there is one. */
export interface ReceiptedWrite<W extends Write = Write> {
  readonly write: W;
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
  outcomes: WriteOutcome[];
  isCommitting: boolean;
  /** Whether the writes outdate the catalogue. */
  isNewEdition: boolean;
  readonly isDryRun: boolean;
}

/** Ends a database transaction without committing it: a dry run has seen what it wanted to. */
class DryRunEnd extends Error {}

/**
 * Applies writes in one database transaction, one after the other, with their members locked. A write that must not
 * happen is refused by itself; the others go on. A transaction of ours is a batch of its own.
 */
export async function writeBatch(
  context: WriteContext,
  requested: readonly ReceiptedWrite[],
  attempt: Attempt,
): Promise<void> {
  const writes = requested.map(({ write }) => write);
  const wanted = requested.flatMap(({ receipt }) => receipt ?? []);
  const batch: Batch = {
    writes: writes.filter((write) => write.kind !== "transaction"),
    names: [...new Set(writes.flatMap(namesOf))].sort(),
    creates: new Set(writes.flatMap(createsIn)),
    ids: idsByCollection(writes, context.catalogue),
  };
  const [first] = requested;
  const inDatabase = context.database.transaction(async (database, commit) => {
    const known = batch.names.map((name) => context.catalogue.get(name)).filter((member) => member !== undefined);
    // Before the members: a transaction that waits here keeps none of them from others.
    const repeated = wanted.length > 0 ? await lockReceipts(database, wanted) : NO_RECEIPTS;
    const { planned, transaction } = await lockAndFetch(database, context, { ...batch, known });
    attempt.transaction = transaction;
    if (isTransaction(first)) {
      attempt.outcomes = [await planTransaction(database, context, { ...first, planned, known, repeated })];
    } else {
      await fetchDependents(database, { catalogue: context.catalogue, writes: batch.writes, planned });
      attempt.outcomes = await planAll(database, context, { requested: requested as SingleWrites, planned, repeated });
    }
    if (attempt.isDryRun) throw new DryRunEnd();
    const edits = attempt.outcomes.flatMap((outcome) => ("change" in outcome ? outcome.change.edits : []));
    const changes = attempt.outcomes.flatMap((outcome) =>
      "change" in outcome && hasEdits(outcome.change) ? [outcome.change] : [],
    );
    const parts = known.map((member) => editSql(member, edits, planned));
    const statements = parts.flatMap((part) => part.statements);
    attempt.isNewEdition = parts.some((part) => part.isNewEdition);
    if (changes.length > 0 && context.catalogue.isAnnouncing) statements.push(announceSql(context.channel, changes));
    for (const outcome of attempt.outcomes) {
      if ("receipt" in outcome && outcome.receipt) statements.push(...receiptSql(outcome.receipt));
    }
    if (statements.length > 0) statements.push(sql`INSERT INTO writes (token) VALUES (${attempt.token})`);
    attempt.isCommitting = true;
    await Promise.all([...statements.map((statement) => run(database, statement)), commit()]);
  });
  await inDatabase.catch((thrown: unknown) => {
    if (!(thrown instanceof DryRunEnd)) throw thrown;
  });
}

const NO_RECEIPTS: ReadonlyMap<string, Receipt> = new Map();
type SingleWrites = readonly ReceiptedWrite<SingleWrite>[];

function isTransaction(one: ReceiptedWrite | undefined): one is ReceiptedWrite<TransactionWrite> {
  return one?.write.kind === "transaction";
}

/** The outcome of a request that was carried out before; undefined if it was not. */
function repeatedOutcome(
  receipt: OpenReceipt | undefined,
  repeated: ReadonlyMap<string, Receipt>,
): WriteOutcome | undefined {
  const former = receipt && repeated.get(receipt.key);
  return former && { refusal: new RequestRepeated(former) };
}

function plannedOutcome(change: Change, open: OpenReceipt | undefined, planned: PlannedDatabase): WriteOutcome {
  const receipt = open && closeReceipt(open, change);
  planned.commit(change);
  return { change, receipt };
}

function hasEdits({ edits }: Change): boolean {
  return edits.length > 0;
}

/** The collections that may get new records: facts about their ids must be fetched. */
function createsIn(write: Write): readonly string[] {
  if (write.kind === "transaction") return write.members;
  return write.kind === "create" ? [write.collection] : [];
}

interface Batch {
  readonly writes: readonly SingleWrite[];
  readonly creates: ReadonlySet<string>;
  /** The members that the writes change. */
  readonly names: readonly string[];
  /** The ids that the writes refer to, by collection. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
}

/** Locks the members of a batch, and fetches the records that its writes refer to. */
async function lockAndFetch(
  database: Sql,
  { completions }: WriteContext,
  { names, creates, known, ids: wanted }: Batch & { readonly known: readonly KnownMember[] },
): Promise<{ planned: PlannedDatabase; transaction: string | undefined }> {
  // Sent together: the database runs the reads once it holds the locks.
  const [locked, ...contents] = await Promise.all([
    run(
      database,
      sql`SELECT name, kind, number, version, edition, count, next_slot, body, pg_current_xact_id()::text AS transaction
        FROM members WHERE name = ANY(${names.map(encodeText)}::text[]) ORDER BY name FOR UPDATE`,
    ),
    ...known.map((member) => {
      const { name } = member;
      return fetchContent(database, { member, ids: wanted.get(name) ?? [], isCreating: creates.has(name) });
    }),
  ]);
  // Planning refuses a name that neither the catalogue nor the database has.
  if (locked.length !== known.length) throw new OutdatedCatalogue();
  const rows = new Map(locked.map((row) => [decodeText(row.name as string), row]));
  const planned = new PlannedDatabase(Math.max(0, ...locked.map((row) => Number(row.version))));
  for (const [at, member] of known.entries()) {
    const { name, idKey } = member;
    const row = rows.get(name);
    if (row?.number !== member.number || String(row.edition) !== member.edition) throw new OutdatedCatalogue();
    if (member.kind === "singleton") {
      planned.addSingleton(name, singletonFromRow(row));
      continue;
    }
    const { records, facts } = contents[at]!;
    const completion = completions?.get(name);
    const collection = new FetchedCollection({ name, idKey, nextSlot: Number(row.next_slot), facts, completion });
    for (const id of wanted.get(name) ?? []) collection.addFetched(id, records.get(id));
    planned.addCollection(collection);
  }
  return { planned, transaction: locked[0]?.transaction as string | undefined };
}

function namesOf(write: Write): readonly string[] {
  return write.kind === "transaction" ? write.members : membersOf(write);
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

interface TransactionPlan extends ReceiptedWrite<TransactionWrite> {
  readonly repeated: ReadonlyMap<string, Receipt>;
  readonly planned: PlannedDatabase;
  readonly known: readonly KnownMember[];
}

/** Plans a transaction, which fetches the records that it turns out to need. */
async function planTransaction(
  database: Sql,
  context: WriteContext,
  { write, receipt, planned, known, repeated }: TransactionPlan,
): Promise<WriteOutcome> {
  const { catalogue, rules } = context;
  const before = repeatedOutcome(receipt, repeated);
  if (before) return before;
  const fetchMissing: FetchMissing = async (thrown) => {
    if (thrown instanceof Unfetched) return fetchUnfetched(database, { catalogue, planned }, thrown);
    if (thrown instanceof UnfetchedRecords) {
      const { payment, fetch } = thrown;
      return payment ? context.database.watched(database, payment, fetch) : fetch(database);
    }
    throw thrown;
  };
  const transaction = new PlannedTransaction(new FetchedBase(planned, known), rules, fetchMissing);
  try {
    await inSlices(write.run(transaction));
  } catch (thrown) {
    if (!(thrown instanceof StandinError)) throw thrown;
    return { refusal: thrown };
  }
  const change = await inSlices(transaction.change());
  await inSlices(renderTexts(change.edits));
  return plannedOutcome(change, receipt, planned);
}

interface Missing {
  readonly catalogue: Catalogue;
  readonly planned: PlannedDatabase;
}

async function fetchUnfetched(
  database: Sql,
  { catalogue, planned }: Missing,
  { collection, ids }: Unfetched,
): Promise<void> {
  const records = await fetchRecords(database, { member: catalogue.get(collection)!, ids });
  for (const id of ids) planned.collection(collection)!.addFetched(id, records.get(id));
}

interface Plan {
  readonly requested: SingleWrites;
  readonly repeated: ReadonlyMap<string, Receipt>;
  readonly planned: PlannedDatabase;
}

async function planAll(
  database: Sql,
  { catalogue, rules }: WriteContext,
  { requested, planned, repeated }: Plan,
): Promise<WriteOutcome[]> {
  const outcomes: WriteOutcome[] = [];
  for (const { write, receipt } of requested) {
    const before = repeatedOutcome(receipt, repeated);
    if (before) {
      outcomes.push(before);
      continue;
    }
    for (;;) {
      try {
        const change = planChange(planned, write);
        // Writes that must be compared with other records come as transactions.
        const judging = rules?.judgeAlone(change.edits, write.lenience);
        if (judging) await inSlices(judging);
        if (!areLight(change.edits)) await inSlices(renderTexts(change.edits));
        outcomes.push(plannedOutcome(change, receipt, planned));
        break;
      } catch (thrown) {
        if (thrown instanceof Unfetched) {
          await fetchUnfetched(database, { catalogue, planned }, thrown);
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
