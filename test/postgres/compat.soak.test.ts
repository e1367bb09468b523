import type { JsonObject } from "../../src/base/json/json.ts";
import { COMPARED } from "../compat/standin.ts";
import { compareWithJsonServer } from "../compat/suite.ts";
import { serveStore } from "../support/serve-store.ts";
import { createStore } from "./database.ts";

/** In `npm test`, memory alone is compared with json-server, and PostgreSQL with memory. */
const REQUESTS = Number(process.env.STANDIN_POSTGRES_COMPAT);

compareWithJsonServer("PostgreSQL", REQUESTS, async (data: JsonObject, isIndexed: boolean) => {
  const opened = await createStore({ indexes: isIndexed ? { things: ["name", "size"], children: ["a", "b"] } : {} });
  await opened.store.swap(structuredClone(data));
  const listening = await serveStore(opened.store, COMPARED);
  return {
    ...listening,
    close: async () => {
      await listening.close();
      await opened.close();
    },
  };
});
