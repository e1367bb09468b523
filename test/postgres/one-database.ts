import { afterAll } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import { type Answer, type AskOptions, askAt } from "../support/api.ts";
import { type ServedStore, serveStore } from "../support/serve-store.ts";
import { createStore } from "./database.ts";

type Ask = (line: string, options?: AskOptions) => Promise<Answer>;

/** Serves one database to all tests of a file, each with data of its own: to call the data costs less than to start anew. */
export function oneDatabase(): (data: JsonObject) => Promise<Ask> {
  /** As JSON; undefined when a request may have changed it. */
  let content: string | undefined;
  let opened: Awaited<ReturnType<typeof createStore>> | undefined;
  let served: ServedStore | undefined;
  afterAll(async () => {
    await served?.close();
    await opened?.close();
  });
  return async (data) => {
    opened ??= await createStore();
    if (JSON.stringify(data) !== content) await opened.store.data.replace(incomingMembers(data), true);
    content = JSON.stringify(data);
    served ??= await serveStore(opened.store);
    const { url } = served;
    return (line, options) => {
      if (!/^(?:GET|HEAD|QUERY) /.test(line)) content = undefined;
      return askAt(url, line, options);
    };
  };
}
