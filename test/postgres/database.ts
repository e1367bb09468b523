import postgres from "postgres";
import { onTestFinished } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { openPostgres, POSTGRES_DEFAULTS, type PostgresOptions } from "../../src/store/postgres/open-postgres.ts";
import type { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { afterEachFile } from "../support/leftovers.ts";
import { isServerKept, serverOfRun } from "./shared-server.ts";

let schemas = 0;
let ofThisFile: Promise<string> | undefined;

afterEachFile(() => {
  ofThisFile = undefined;
});

/**
 * The address of the database that the tests of a file share. Files have their own: every connection reads all types of its
 * database, and each table brings two.
 */
export function sharedDatabase(): Promise<string> {
  ofThisFile ??= isServerKept() ? serverOfRun() : createDatabase();
  return ofThisFile;
}

/** A name that no other test uses. */
export function newSchema(): string {
  return `test_${process.pid}_${Date.now().toString(36)}_${schemas++}`;
}

/** A store in a schema of its own, which goes with it or with the server. The caller closes it. */
export async function createStore(
  options: Partial<PostgresOptions> = {},
): Promise<{ store: PostgresStore; url: string; schema: string; close(): Promise<void> }> {
  const url = await sharedDatabase();
  const schema = options.schema ?? newSchema();
  const store = await openPostgres(url, {
    ...POSTGRES_DEFAULTS,
    idKey: "id",
    warn: () => {},
    poolSize: 4,
    ...options,
    schema,
  });
  return {
    store,
    url,
    schema,
    close: async () => {
      await store.close();
      if (options.schema === undefined && isServerKept()) await dropSchema(url, schema);
    },
  };
}

/** The same for one test, with these data in it. */
export async function storeWith(data: JsonObject, options: Partial<PostgresOptions> = {}) {
  const opened = await createStore(options);
  onTestFinished(opened.close);
  await opened.store.swap(data);
  return opened;
}

export async function dropSchema(url: string, schema: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql`DROP SCHEMA IF EXISTS ${sql(schema)} CASCADE`;
  await sql.end();
}

/** A database of its own on the server of this run; gives back its address. It goes with the server. */
export async function createDatabase(): Promise<string> {
  const server = new URL(await serverOfRun());
  const name = `shop_${process.pid}_${schemas++}`;
  const sql = postgres(server.href, { max: 1 });
  await sql`CREATE DATABASE ${sql(name)}`;
  await sql.end();
  server.pathname = `/${name}`;
  return server.href;
}
