import postgres from "postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin, type Standin, type StandinOptions } from "../../src/index.ts";
import { startReceiver } from "../features/hooks/receiver.ts";
import { dropSchema, newSchema } from "./database.ts";
import { isServerKept, sharedServer } from "./shared-server.ts";

interface Shared {
  readonly schema: string;
  readonly url: string;
  readonly sql: postgres.Sql;
  start(options?: Partial<StandinOptions>): Promise<Standin>;
}

/** A schema with empty orders and webhooks, which any number of servers share. */
async function share(common: Partial<StandinOptions> = {}): Promise<Shared> {
  const url = await sharedServer();
  const schema = newSchema();
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: schema } });
  onTestFinished(async () => {
    await sql.end();
    if (isServerKept()) await dropSchema(url, schema);
  });
  const start = async (options: Partial<StandinOptions> = {}): Promise<Standin> => {
    const given = { source: url, persist: true, schema, poolSize: 4, ...common, ...options };
    const api = await createStandin(given as StandinOptions);
    onTestFinished(() => api.close());
    return api;
  };
  const first = await start({ hooks: [], timeline: [], clock: undefined });
  await first.request("PUT /db", { body: { orders: [], webhooks: [] } });
  await first.close();
  return { schema, url, sql, start };
}

const STOPPED = { clock: "2030-01-01T00:00:00Z" } as const;

test("x", async () => {
  const { start } = await share();
  const api = await start();
  console.log((await api.request("GET /db")).body);
});
