import { isExpired, type KeptResponse, MAX_RECEIPTS, type Receipt, type ReceiptHead } from "../../receipts.ts";
import type { FoundReceipt } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import { type Fragment, only, run, sql } from "../sql/fragment.ts";

/** Finds the receipt of a key, and the load of the data: every load numbers its members anew. */
export async function findReceipt(database: Sql, key: string): Promise<FoundReceipt> {
  const rows = await database<(LoadRow & (ReceiptRow | { key: null }))[]>`SELECT
    (SELECT coalesce(max(number), 0) FROM members) AS load, r.*
    FROM (SELECT 1) AS one LEFT JOIN receipts r ON r.key = ${key}`;
  const row = only(rows);
  return { receipt: row.key === null ? undefined : receiptFromRow(row), load: String(row.load) };
}

/**
 * Waits until no other transaction is at work on these keys, and keeps others from it until this one ends. Returns the
 * receipts that are kept already, by their keys.
 */
export async function lockReceipts(database: Sql, wanted: readonly ReceiptHead[]): Promise<Map<string, Receipt>> {
  // All transactions lock in the same order, so none waits for another that waits for it.
  const keys = wanted.map(({ key }) => key).sort();
  const [, rows] = await Promise.all([
    run(
      database,
      sql`SELECT pg_advisory_xact_lock(hashtextextended(key, 0)) FROM unnest(${keys}::text[]) WITH ORDINALITY AS k(key, place)
        ORDER BY place`,
    ),
    // A statement of its own: it sees what was committed while the first one waited.
    run<ReceiptRow>(database, sql`SELECT * FROM receipts WHERE key = ANY(${keys}::text[])`),
  ]);
  const found = new Map(rows.map((row) => [row.key, receiptFromRow(row)]));
  for (const { key, at } of wanted) {
    const receipt = found.get(key);
    if (receipt && isExpired(receipt, at)) found.delete(key);
  }
  return found;
}

/** Stores a receipt whose key is locked, in place of an expired one, and removes those that are too many. */
export function receiptSql({ key, request, at, response }: Receipt): Fragment[] {
  return [
    sql`INSERT INTO receipts (key, request, made_at, response)
      VALUES (${key}, ${request}, ${at}, ${JSON.stringify(response)})
      ON CONFLICT (key) DO UPDATE SET number = excluded.number, request = excluded.request,
        made_at = excluded.made_at, response = excluded.response`,
    // Others may be removing the same ones.
    sql`DELETE FROM receipts WHERE number IN (SELECT number FROM receipts
      WHERE number <= (SELECT max(number) FROM receipts) - ${MAX_RECEIPTS} FOR UPDATE SKIP LOCKED)`,
  ];
}

/** Keeps a receipt without a write, inside a transaction; returns the one that was kept before, if there is one. */
export async function keepReceipt(database: Sql, receipt: Receipt, load: string): Promise<Receipt | undefined> {
  const former = (await lockReceipts(database, [receipt])).get(receipt.key);
  if (former) return former;
  // A replacement of all data waits for this transaction, or this one for it.
  await database`LOCK TABLE members IN ROW SHARE MODE`;
  const current = only(await database<LoadRow[]>`SELECT coalesce(max(number), 0) AS load FROM members`);
  if (String(current.load) !== load) return undefined;
  for (const statement of receiptSql(receipt)) await run(database, statement);
  return undefined;
}

interface LoadRow {
  readonly load: number;
}

interface ReceiptRow {
  readonly key: string;
  readonly request: string;
  readonly made_at: string;
  readonly response: string;
}

function receiptFromRow({ key, request, made_at, response }: ReceiptRow): Receipt {
  return { key, request, at: Number(made_at), response: JSON.parse(response) as KeptResponse };
}
