import { StandinError } from "../../../base/errors.ts";
import type { Completions } from "../../completion.ts";
import { State } from "../../memory/state.ts";
import {
  HEADS,
  type KeptGuard,
  type MainCopy,
  type SharedHead,
  type SharedSandboxes,
  stepsOf,
} from "../../shared-sandboxes.ts";
import type { Sql } from "../connections/connection.ts";
import type { PostgresDatabase } from "../connections/postgres-database.ts";
import { type LoadContext, nextNumber } from "../load/replace-database.ts";
import { COPY_PREFIX, readCopiedMembers, removeSnapshot, saveSnapshot } from "../load/stored-snapshots.ts";
import type { Catalogue } from "../tables/catalogue.ts";
import { lockSchema } from "../tables/schema.ts";

/** How long a copy without a sandbox is kept: one may be about to begin with it. */
const SPARE_COPY = "2 minutes";

interface StoredSandboxesOptions {
  readonly database: PostgresDatabase;
  readonly catalogue: Catalogue;
  readonly load: LoadContext;
  readonly completions: Completions | undefined;
}

interface ValueRow {
  readonly key: string;
  readonly value: string;
  readonly used_at: string;
}

/** Sandboxes in the tables `sandboxes` and `copies`, where all processes find them. */
export class StoredSandboxes implements SharedSandboxes {
  readonly #options: StoredSandboxesOptions;

  constructor(options: StoredSandboxesOptions) {
    this.#options = options;
  }

  async list(): Promise<ReadonlyMap<string, SharedHead>> {
    const rows = await this.#options.database.query(
      (sql) => sql<ValueRow[]>`SELECT key, value, used_at FROM sandboxes WHERE starts_with(key, ${HEADS}) ORDER BY key`,
    );
    return new Map(rows.map((row) => [row.key.slice(HEADS.length), headIn(row)]));
  }

  async find(name: string): Promise<SharedHead | undefined> {
    const [row] = await this.#options.database.query(
      (sql) => sql<ValueRow[]>`SELECT key, value, used_at FROM sandboxes WHERE key = ${HEADS + name}`,
    );
    return row && headIn(row);
  }

  async read(name: string) {
    const rows = await this.#options.database.query(
      (sql) => sql<ValueRow[]>`SELECT key, value, used_at FROM sandboxes
        WHERE key = ${HEADS + name} OR starts_with(key, ${stepsOf(name)}) ORDER BY key`,
    );
    const values = new Map<string, unknown>(rows.map(({ key, value }) => [key, JSON.parse(value)]));
    const head = values.get(HEADS + name);
    values.delete(HEADS + name);
    return head === undefined ? undefined : { head, steps: values };
  }

  store(values: ReadonlyMap<string, unknown>, { key, isCurrent }: KeptGuard): Promise<boolean> {
    return this.#options.database.change(async (sql) => {
      const [known] = await sql<ValueRow[]>`SELECT key, value, used_at FROM sandboxes WHERE key = ${key} FOR UPDATE`;
      if (!isCurrent(known && JSON.parse(known.value))) return false;
      const head = values.get(key);
      if (!known && head !== undefined) {
        const [made] = await sql`INSERT INTO sandboxes VALUES (${key}, ${JSON.stringify(head)}, ${Date.now()})
          ON CONFLICT DO NOTHING RETURNING key`;
        // Another process has created it at the same time.
        if (!made) return false;
      }
      const gone = [...values].flatMap(([one, value]) => (value === undefined ? one : []));
      if (gone.length > 0) await sql`DELETE FROM sandboxes WHERE key = ANY(${gone}::text[])`;
      for (const [one, value] of values) {
        if (value === undefined || (one === key && !known)) continue;
        await sql`INSERT INTO sandboxes VALUES (${one}, ${JSON.stringify(value)}, 0)
          ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
      }
      return true;
    });
  }

  async remove(name: string): Promise<void> {
    await this.#options.database.query((sql) => removeSandbox(sql, name));
  }

  async noteUse(name: string, usedAt: number): Promise<void> {
    await this.#options.database.query(
      (sql) => sql`UPDATE sandboxes SET used_at = ${usedAt} WHERE key = ${HEADS + name} AND used_at < ${usedAt}`,
    );
  }

  copyMain(maxBytes: number): Promise<MainCopy> {
    const { database, catalogue } = this.#options;
    return database.atOneMoment(catalogue, async (sql) => {
      const members = await sql`SELECT name, number, version FROM members ORDER BY position`;
      const [loaded] = await sql<{ value: string }[]>`SELECT value FROM meta WHERE key = 'load'`;
      const load = loaded?.value ?? "";
      const stamp = JSON.stringify([load, members.map(({ name, number, version }) => [name, number, version])]);
      // No process removes it now.
      const [known] = await sql<{ number: number }[]>`UPDATE copies SET made_at = now()
        WHERE number = (SELECT max(number) FROM copies WHERE stamp = ${stamp}) RETURNING number`;
      if (known) return { number: known.number, load };
      const { number } = await nextNumber(sql);
      const { bytes } = await saveSnapshot(sql, COPY_PREFIX + number);
      if (bytes > maxBytes) throw tooLarge(bytes, maxBytes);
      await sql`INSERT INTO copies (number, stamp) VALUES (${number}, ${stamp})`;
      return { number, load };
    });
  }

  readCopy(number: number): Promise<State> {
    const { database, catalogue, load, completions } = this.#options;
    const { rules, idKeys, noting } = load;
    return database.atOneMoment(catalogue, async (sql) => {
      await idKeys.refresh(sql);
      const members = await readCopiedMembers(sql, number);
      if (!members)
        throw new StandinError("SANDBOX_NOT_FOUND", "The data of this sandbox was removed. Create a new one.");
      const { present } = idKeys;
      const empty = State.load({}, present, { completions, rules, history: noting.limits });
      return empty.restore({ version: number, epoch: "", idKeys: present.kept, members });
    });
  }

  async sweep(usedBefore: number): Promise<void> {
    const { database, load } = this.#options;
    await database.change(async (sql) => {
      await lockSchema(sql, load.schema);
      const unused = await sql<{ key: string }[]>`SELECT key FROM sandboxes
        WHERE starts_with(key, ${HEADS}) AND used_at < ${usedBefore}`;
      for (const { key } of unused) await removeSandbox(sql, key.slice(HEADS.length));
      const spare = await sql<{ number: number }[]>`DELETE FROM copies
        WHERE made_at < now() - ${SPARE_COPY}::interval AND number NOT IN (
          SELECT (value::json ->> 'birth')::int FROM sandboxes WHERE starts_with(key, ${HEADS}))
        RETURNING number`;
      for (const { number } of spare) await removeSnapshot(sql, COPY_PREFIX + number);
    });
  }
}

async function removeSandbox(sql: Sql, name: string): Promise<void> {
  await sql`DELETE FROM sandboxes WHERE key = ${HEADS + name} OR starts_with(key, ${stepsOf(name)})`;
}

function headIn({ value, used_at }: ValueRow): SharedHead {
  return { head: JSON.parse(value), usedAt: Number(used_at) };
}

function tooLarge(bytes: number, maxBytes: number): StandinError {
  const megabytes = (count: number): number => Math.ceil(count / 2 ** 20);
  return new StandinError(
    "SANDBOX_FULL",
    `On PostgreSQL, sandboxes hold a copy of the data in memory. It is ${megabytes(bytes)} MB of JSON, and may be ` +
      `${megabytes(maxBytes)} MB. Start with a larger --sandboxMegabytes (four times the JSON).`,
  );
}
