import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSchema, sharedDatabase, storeWith } from "../postgres/database.ts";
import { createFolder } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";

let url: string;
let other: postgres.Sql;

beforeAll(async () => {
  url = await sharedDatabase();
  other = postgres(url, { max: 1, onnotice: () => {} });
});

afterAll(() => other.end());

async function failedStart(schema: string, ms: number): Promise<string> {
  const { output, exit } = runKept(
    [url, "--schema", schema, "--port", "0", "--statementTimeout", `${ms}`],
    createFolder(),
  );
  expect(await exit, output.stdout).toBe(1);
  return output.stderr;
}

test("statementTimeout 1 while another process sets the schema up", async () => {
  const schema = newSchema();
  await other`SELECT pg_advisory_lock(hashtextextended(${`standin ${schema}`}, 0))`;
  const printed = await failedStart(schema, 1);
  await other`SELECT pg_advisory_unlock_all()`;
  expect(printed).toMatch(
    /^standin: \S+ cannot be used: The database took longer than 1 ms\. .* raise "statementTimeout"\.\n$/,
  );
});

test("a statement after the database was opened: the process ends, too", async () => {
  const { schema, store } = await storeWith({ notes: [{ id: 1 }] });
  await store.close();
  const [found] = await other.unsafe(
    `SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' AND tablename ~ '[0-9]$'`,
  );
  const printed = await other.begin(async (sql) => {
    await sql.unsafe(`LOCK TABLE "${schema}"."${found!.tablename}" IN ACCESS EXCLUSIVE MODE`);
    return failedStart(schema, 500);
  });
  expect(printed).toMatch(/^standin: .*The database took longer than 500 ms\. .*\n$/);
});
