import { describe, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { DEFAULT_HISTORY } from "../../src/store/history.ts";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import { askAt, startWith } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { serveStore } from "../support/serve-store.ts";
import { createStore, newSchema } from "./database.ts";
import { compareSandboxes, oracleData } from "./sandbox-oracle.ts";

/** Processes on one database, as far as that can tell. */
async function serveProcesses(data: JsonObject, count: number): Promise<string[]> {
  const schema = newSchema();
  const urls: string[] = [];
  for (let process = 0; process < count; process++) {
    const { store, close: closeStore } = await createStore({ schema, history: DEFAULT_HISTORY });
    if (process === 0) await store.data.replace(incomingMembers(structuredClone(data)), true);
    const { url, close } = await serveStore(store);
    onTestFinished(async () => {
      await close();
      await closeStore();
    });
    urls.push(url);
  }
  return urls;
}

for (const seed of [11, 222, 3333, 44_444]) {
  test(`500 random requests in a sandbox: three processes respond as memory does, seed ${seed}`, async () => {
    const urls = await serveProcesses(oracleData(), 3);
    await compareSandboxes(urls, 500, seed);
  });
}

/** A test with many servers at a time would take all connections of the database. */
const MAX_SERVERS = 5;
let servers = 0;

// Servers with other options are those of the suites themselves.
startWith(async ({ data = catalog(), ...options }) => {
  if (Object.keys(options).length > 0 || servers === MAX_SERVERS) return undefined;
  servers++;
  onTestFinished(() => {
    servers--;
  });
  const [url = ""] = await serveProcesses(data as JsonObject, 1);
  return { url, port: Number(new URL(url).port), ask: (line, request) => askAt(url, line, request) };
});

describe("the suites of sandboxes on PostgreSQL", async () => {
  await import("../features/sandboxes/sandboxes.test.ts");
  await import("../features/sandboxes/promote.test.ts");
  await import("../features/sandboxes/promote-renumber.test.ts");
  await import("../features/sandboxes/undo.test.ts");
});
