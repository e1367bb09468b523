import { afterAll } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import { type Answer, type AskOptions, askAt } from "../support/api.ts";
import { type ServedStore, serveStore } from "../support/serve-store.ts";
import { createStore } from "./database.ts";

type Ask = (line: string, options?: AskOptions) => Promise<Answer>;

/** Serves one database to all tests of a file, each with data of its own: to call the data costs less than to start anew. */
export function oneDatabase(): (data: JsonObject) => Promise<Ask> {
  let opened: Awaited<ReturnType<typeof createStore>> | undefined;
  let served: ServedStore | undefined;
  afterAll(async () => {
    await served?.close();
    await opened?.close();
  });
  return async (data) => {
    opened ??= await createStore();
    await opened.store.data.replace(incomingMembers(data), true);
    served ??= await serveStore(opened.store);
    const { url } = served;
    return (line, options) => askAt(url, line, options);
  };
}
