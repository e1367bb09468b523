import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, askAt, codeOf } from "../support/api.ts";
import { newSchema } from "./database.ts";
import { type Process, startProcess } from "./processes.ts";
import { PostgresServer } from "./server.ts";

const MENDED = "(mended by: One engine, one log)";

let server: PostgresServer;
let standin: Process;
let admin: postgres.Sql;
const schema = newSchema();

beforeAll(async () => {
  server = await PostgresServer.create();
  standin = await startProcess(server.url, schema);
  admin = postgres(server.url, { onnotice: () => {} });
});

afterAll(async () => {
  standin?.child.kill("SIGKILL");
  await admin?.end();
  await server?.destroy();
});

const post = () => askAt(standin.url, "POST /products", { body: { name: "x" } });

async function setReadOnly(value: "on" | "off"): Promise<void> {
  await admin.unsafe(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
  await admin.unsafe("SELECT pg_reload_conf()");
}

async function onEachTable(statement: (table: string) => string): Promise<void> {
  const tables = await admin<{ name: string }[]>`
    SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = ${schema}`;
  for (const { name } of tables) await admin.unsafe(statement(name));
}

const CAUSES: Readonly<Record<string, { begin: () => Promise<void>; end: () => Promise<void> }>> = {
  "the database is read-only": { begin: () => setReadOnly("on"), end: () => setReadOnly("off") },
  "a failover ended at a server that is read-only": {
    begin: async () => {
      await setReadOnly("on");
      await server.stop();
      await server.start();
    },
    end: () => setReadOnly("off"),
  },
  "the disk of the database is full": {
    begin: async () => {
      await admin.unsafe(`CREATE OR REPLACE FUNCTION public.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`);
      await onEachTable(
        (table) => `CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION public.full_disk()`,
      );
    },
    end: () => onEachTable((table) => `DROP TRIGGER IF EXISTS full_disk ON ${table}`),
  },
};

describe.each(Object.entries(CAUSES))("while %s", (_cause, { begin, end }) => {
  let refused: Answer;
  beforeAll(async () => {
    await begin();
    // A connection that has broken on the way is another matter.
    do refused = await post();
    while (refused.status === 201 || /cannot be reached/.test(JSON.stringify(refused.body)));
  });
  afterAll(async () => {
    await end();
    // Sessions hear of a setting a moment later.
    while ((await post()).status !== 201);
  });

  it("reads go on, and the refused write has changed nothing", async () => {
    const before = await askAt(standin.url, "GET /products?name=x&_limit=1000");
    expect(before.status).toBe(200);
    expect((await post()).status).toBeGreaterThanOrEqual(500);
    expect((await askAt(standin.url, "GET /products?name=x&_limit=1000")).body).toEqual(before.body);
  });

  it.fails(`a write is 503 with Retry-After ${MENDED}`, () => {
    expect([refused.status, codeOf(refused), refused.headers.get("retry-after")]).toEqual([
      503,
      "STORE_UNAVAILABLE",
      "1",
    ]);
  });

  it.fails(`/health-check is 503 ${MENDED}`, async () => {
    expect((await askAt(standin.url, "GET /health-check")).status).toBe(503);
  });
});
