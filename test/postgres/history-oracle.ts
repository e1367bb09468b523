import type { JsonObject } from "../../src/base/json/json.ts";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import type { OracleApi } from "../features/history/oracle.ts";
import { askAt } from "../support/api.ts";
import { serveStore } from "../support/serve-store.ts";
import { createStore } from "./database.ts";

/** A database of its own for the oracle, with a history of all that it does. */
export async function serveOracle(data: JsonObject): Promise<OracleApi> {
  const opened = await createStore({ history: { maxBytes: 2 ** 28 } });
  await opened.store.data.replace(incomingMembers(data), true);
  const served = await serveStore(opened.store);
  return {
    request: async <T>(line: string, options?: { body?: unknown }) => {
      const { status, headers, body } = await askAt(served.url, line, options);
      return { status, headers, body: body as T };
    },
    async close() {
      await served.close();
      await opened.close();
    },
  };
}
