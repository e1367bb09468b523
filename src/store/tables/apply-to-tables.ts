import { inSlices, settled, type Work } from "../../base/slices.ts";
import type { Completions } from "../completion.ts";
import type { Sql } from "../postgres/connections/connection.ts";
import type { PostgresDatabase } from "../postgres/connections/postgres-database.ts";
import { Unfetched } from "../postgres/write/planned-database.ts";
import type { Receipt } from "../receipts.ts";
import type { RecordRules } from "../record-rules.ts";
import {
  type ApplyOptions,
  type Change,
  closeReceipt,
  type Edit,
  type SingleWrite,
  type Transaction,
  type Write,
} from "../store.ts";
import { PlannedTransaction } from "../transaction.ts";
import { PlannedTables } from "./planned-tables.ts";
import type { Table } from "./table.ts";
import { type Stored, writeEdits } from "./write-edits.ts";

export interface TableWrite {
  readonly database: PostgresDatabase;
  readonly tables: ReadonlyMap<string, Table>;
  readonly completions: Completions | undefined;
  readonly rules: RecordRules | undefined;
  readonly version: number;
  readonly write: Write;
  readonly options: ApplyOptions;
}

export interface Applied {
  readonly change: Change;
  readonly receipt: Receipt | undefined;
}

/** Ends a database transaction without committing it: a dry run has seen what it wanted to. */
class DryRunEnd extends Error {
  readonly applied: Applied;

  constructor(applied: Applied) {
    super("dry run");
    this.applied = applied;
  }
}

/** Plans a write as every store does, carries it out in one transaction, and returns the records as they are stored. */
export async function applyToTables(given: TableWrite): Promise<Applied> {
  const { database, options } = given;
  try {
    return await database.change(async (driver) => {
      const applied = await applyIn(driver, given);
      if (options.isDryRun) throw new DryRunEnd(applied);
      return applied;
    });
  } catch (thrown) {
    if (thrown instanceof DryRunEnd) return thrown.applied;
    throw thrown;
  }
}

async function applyIn(
  driver: Sql,
  { tables, completions, rules, version, write, options }: TableWrite,
): Promise<Applied> {
  const base = new PlannedTables(version - 1, tables, completions);
  const planned = new PlannedTransaction(base, rules, async (thrown) => {
    if (!(thrown instanceof Unfetched)) throw thrown;
    await thrown.fetch(driver);
  });
  const prepared = preparing(planned, (one) => base.prepare(driver, one));
  let single: readonly Edit[] | undefined;
  if (write.kind === "transaction") await inSlices(write.run(prepared));
  else single = await inSlices(prepared.apply(write));
  const all = await inSlices(planned.change());
  const stored = await writeEdits(driver, tables, all.edits);
  // The edits of a transaction have an order of their own.
  const change: Change = { version, edits: (single ?? all.edits).map((edit) => asStored(edit, stored)) };
  return { change, receipt: options.receipt && closeReceipt(options.receipt, change) };
}

/** The same transaction, which reads what each write needs before it plans it. */
function preparing(transaction: PlannedTransaction, prepare: (write: SingleWrite) => Promise<void>): Transaction {
  return {
    get: (collection, id) => transaction.get(collection, id),
    singleton: (name) => transaction.singleton(name),
    matching: (collection, match) => transaction.matching(collection, match),
    newId: (collection, options) => transaction.newId(collection, options),
    *apply(write: SingleWrite): Work<readonly Edit[]> {
      yield* settled(prepare(write));
      return yield* transaction.apply(write);
    },
  };
}

function asStored(edit: Edit, stored: Stored): Edit {
  const after = edit.after && (stored.get(edit.after) ?? edit.after);
  return { ...edit, after };
}
