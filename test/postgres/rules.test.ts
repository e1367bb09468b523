import { Agent } from "node:http";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readRecordRules } from "../../src/features/rules/open-rules.ts";
import { incomingMembers } from "../../src/store/postgres/load/replace-database.ts";
import { describeJudgedWrites, RULES, START } from "../rules/judged-writes.ts";
import { askAt } from "../support/api.ts";
import { type ServedStore, serveStore } from "../support/serve-store.ts";
import { createStore } from "./database.ts";

const agent = new Agent({ keepAlive: true });
const rules = readRecordRules(RULES, "rules");
let opened: Awaited<ReturnType<typeof createStore>>;
let served: ServedStore;
beforeAll(async () => {
  opened = await createStore({ rules });
  await opened.store.data.replace(incomingMembers(START), true);
  served = await serveStore(opened.store, {}, { rules });
});
afterAll(async () => {
  agent.destroy();
  await served.close();
  await opened.close();
});

describeJudgedWrites("on PostgreSQL", () => ({
  ask: (line, options) => askAt(served.url, line, { ...options, agent }),
  reset: () => opened.store.reset(),
}));

test("64 POSTs at once to 4 stores with one unique value: exactly one is created; references hold as well", async () => {
  const stores = await Promise.all([1, 2, 3].map(() => createStore({ schema: opened.schema, rules })));
  onTestFinished(async () => {
    for (const { close } of stores) await close();
    await opened.store.reset();
  });
  const all = [opened, ...stores].map(({ store }) => store);
  const create = (at: number, body: object) =>
    all[at % all.length]!.apply({
      kind: "create",
      collection: "products",
      bodies: [{ name: `Cup ${at}`, ...body }],
    }).then(
      () => "made",
      ({ code }: { code: string }) => code,
    );
  const made = await Promise.all(Array.from({ length: 64 }, (_, at) => create(at, { sku: "one" })));
  expect(made.filter((one) => one === "made")).toHaveLength(1);
  expect(made.filter((one) => one === "RECORD_INVALID")).toHaveLength(63);
  // Whichever comes first: a company that is referred to stays, and one that is gone is not referred to.
  for (const id of ["2", "3"]) {
    const removing = all[3]!.apply({ kind: "remove", collection: "companies", id, dependents: [] }).then(
      () => "gone",
      ({ code }: { code: string }) => code,
    );
    const referring = await Promise.all([...Array(8).keys()].map((at) => create(at, { company_id: Number(id) })));
    const removed = await removing;
    expect([removed, ...new Set(referring)].includes("RECORD_REFERENCED")).toBe(referring.includes("made"));
    expect(removed === "gone" && referring.includes("made")).toBe(false);
  }
});
