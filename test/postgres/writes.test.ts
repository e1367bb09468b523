import { afterAll, beforeAll } from "vitest";
import { incomingMembers } from "../../src/store/postgres/load/incoming-members.ts";
import { askAt } from "../support/api.ts";
import { type ServedStore, serveStore } from "../support/serve-store.ts";
import { describeBatches } from "../writes/batch-cases.ts";
import { describeWrites, type Place, START } from "../writes/cases.ts";
import { createStore } from "./database.ts";

let opened: Awaited<ReturnType<typeof createStore>>;
let served: ServedStore;
beforeAll(async () => {
  opened = await createStore();
  await opened.store.data.replace(incomingMembers(START), true);
  served = await serveStore(opened.store);
});
afterAll(async () => {
  await served.close();
  await opened.close();
});

const place = (): Place => ({
  ask: (line, options) => askAt(served.url, line, options),
  reset: () => opened.store.reset(),
});
describeWrites("on PostgreSQL", place);
describeBatches("on PostgreSQL", place, true);
