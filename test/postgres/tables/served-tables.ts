import postgres from "postgres";
import { onTestFinished } from "vitest";
import type { ServeOptions } from "../../../src/config/options.ts";
import { openTables } from "../../../src/store/tables/open-tables.ts";
import type { TablesStore } from "../../../src/store/tables/tables-store.ts";
import { type Answer, type AskOptions, askAt } from "../../support/api.ts";
import { serveStore } from "../../support/serve-store.ts";
import { dropSchema, newSchema, sharedDatabase } from "../database.ts";

export interface ServedTables {
  readonly store: TablesStore;
  readonly schema: string;
  readonly url: string;
  /** Runs statements as their owner would, who knows nothing of standin. */
  readonly run: (statements: string) => Promise<readonly Record<string, unknown>[]>;
  readonly ask: (line: string, options?: AskOptions) => Promise<Answer>;
}

/** Serves the tables that statements create, in a schema of their own, to one test. */
export async function serveTables(statements: string, options: Partial<ServeOptions> = {}): Promise<ServedTables> {
  const opened = await openSchema(statements);
  const served = await serveStore(opened.store, options);
  onTestFinished(async () => {
    await served.close();
    await opened.close();
  });
  return { ...opened, ask: (line, request) => askAt(served.url, line, request) };
}

/** The store alone. The caller closes it. */
export async function openSchema(statements: string) {
  const url = await sharedDatabase();
  const schema = newSchema();
  const driver = postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: schema } });
  const run = (text: string): Promise<readonly Record<string, unknown>[]> => driver.unsafe(text);
  await run(`CREATE SCHEMA "${schema}"; ${statements}`);
  const settings = { poolSize: 4, statementTimeoutMs: 30_000, tls: undefined, tlsCa: undefined, idKey: "id" };
  const store = await openTables(url, { ...settings, tables: schema });
  const close = async (): Promise<void> => {
    await store.close();
    await driver.end();
    await dropSchema(url, schema);
  };
  return { store, schema, url, run, close };
}

/** A shop as somebody may have designed it, long before standin. */
export const SHOP = `
  CREATE TABLE companies (id serial PRIMARY KEY, name text NOT NULL UNIQUE, country char(4));
  CREATE TYPE mood AS ENUM ('calm', 'cross');
  CREATE TABLE products (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name varchar(40) NOT NULL,
    price numeric(20, 2) CHECK (price >= 0),
    maker integer REFERENCES companies,
    parent_id bigint REFERENCES products,
    tags text[],
    meta jsonb,
    is_live boolean NOT NULL DEFAULT true,
    released date,
    created_at timestamptz NOT NULL DEFAULT '2026-01-02 03:04:05+02',
    code uuid,
    temper mood,
    photo bytea,
    weight real,
    gross numeric GENERATED ALWAYS AS (price * 2) STORED
  );
  CREATE TABLE stock (product_id bigint, place text, amount int, PRIMARY KEY (product_id, place));
  CREATE TABLE "Log Entries" ("At" int, "What" text);
  CREATE TABLE codes (code text PRIMARY KEY, label text);
  CREATE VIEW cheap AS SELECT id, name, price FROM products WHERE price < 10;
  INSERT INTO companies (name, country) VALUES ('Acme', 'IT'), ('Bolt', 'DE');
  INSERT INTO products (name, price, maker, parent_id, tags, meta, released, temper, photo, weight) VALUES
    ('Anvil', 12.50, 1, NULL, '{heavy,iron}', '{"color": "grey", "size": {"w": 3}}', '2020-02-29', 'calm', '\\xdeadbeef', 0.1),
    ('Nut', 0.99, 2, 1, '{}', NULL, NULL, NULL, NULL, 2.5),
    ('Rope', 7, 2, 1, NULL, '{"color": "Red"}', '2021-05-05', 'cross', NULL, NULL);
  INSERT INTO stock VALUES (1, 'Rome', 5), (1, 'Bonn', 0);
  INSERT INTO "Log Entries" VALUES (2, 'two'), (1, 'one');
  INSERT INTO codes VALUES ('a b/c', 'odd'), ('z', 'plain');`;
