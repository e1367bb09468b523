import { expect, test } from "vitest";
import { createFetch } from "../../../src/app/fetch.ts";
import { tellNumbers } from "../../support/tell-numbers.ts";
import { Oracle } from "./oracle.ts";

const seed = Date.now() % 100_000;

test(`5,000 random changes of every kind, 500 reads of the past, and reverts: seed ${seed}`, async () => {
  const oracle = new Oracle({ seed, changes: 5000, reads: 500, reverts: 15 });
  await oracle.run();
  expect(oracle.done.reverts).toBeGreaterThan(300);
  tellNumbers(`history, seed ${seed}: ${JSON.stringify(oracle.done)}`);
});

test("a change of more than 256 MB is made and listed, but not kept, and its response says so", async () => {
  const text = "x".repeat(1_000_000);
  const data = { files: Array.from({ length: 90 }, (_, at) => ({ id: at + 1, text })) };
  const api = await createFetch({ data });
  const { headers } = await api.request("PATCH /files?_all=true", { body: { text: "" } });
  expect(headers.get("x-standin-history")).toBe("not-kept");
  const { versions, latest, oldest } = await api.history.list();
  expect([versions[0]?.kept, versions[0]?.version, oldest]).toEqual([false, latest, latest]);
  await expect(api.history.revert(latest)).rejects.toMatchObject({ code: "HISTORY_TOO_LARGE" });
  await expect(api.history.at(latest - 1)).rejects.toMatchObject({ code: "HISTORY_GONE" });
  const small = await api.request("PATCH /files/1", { body: { text: "y" } });
  expect(small.headers.has("x-standin-history")).toBe(false);
  await api.close();
});
