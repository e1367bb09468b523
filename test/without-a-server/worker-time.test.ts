import { expect } from "vitest";
import { byPage, inChromium, openSite, stopWorker } from "./worker-site.ts";

const TIMELINE = [{ on: "orders.created", after: "3s", set: { status: "paid", paidAt: "{{now}}" } }];
const SHOP = `{ data: { orders: [] }, base: "/api", name: "shop", persist: "indexeddb", clock: "2030-01-01T00:00:00Z",
  timeline: ${JSON.stringify(TIMELINE)} }`;
const JSON_TYPE = { "Content-Type": "application/json" };

/** Takes the kept jobs away that were made after the start, as a kill right after the change would have done. */
const FORGET_JOBS = `new Promise((resolve) => {
  const opening = indexedDB.open("standin:shop");
  opening.onsuccess = () => {
    const kept = opening.result.transaction("kept", "readwrite").objectStore("kept");
    kept.get("jobs").onsuccess = ({ target }) => {
      const [first] = target.result.value;
      kept.put({ key: "jobs", value: [{ ...first, upTo: first.upTo - 1, jobs: [] }] }).onsuccess = () => resolve(target.result.value.length);
      opening.result.close();
    };
  };
})`;

inChromium("what is due outlives the worker, and so does a moved clock", async () => {
  const site = await openSite(SHOP);
  const page = await site.open();
  const send = byPage(page);
  const advance = (duration: string) => send("POST /api/__clock", JSON_TYPE, JSON.stringify({ advance: duration }));
  const jobs = async () => JSON.parse((await send("GET /api/__jobs", {})).body);
  expect((await send("POST /api/orders", JSON_TYPE, '{"status":"new"}')).status).toBe(201);
  expect((await advance("1s")).status).toBe(200);
  await stopWorker(page);
  const due = [{ rule: "timeline-1", dueAt: "2030-01-01T00:00:03.000Z" }];
  expect(await jobs()).toMatchObject({ now: "2030-01-01T00:00:01.000Z", jobs: due });

  await stopWorker(page);
  expect(await page.evaluate(FORGET_JOBS)).toBeGreaterThan(1);
  expect(await jobs()).toMatchObject({ jobs: due });
  expect((await advance("1h")).status).toBe(200);
  const paid = [{ id: 1, status: "paid", paidAt: "2030-01-01T00:00:03.000Z" }];
  expect(JSON.parse((await send("GET /api/orders", {})).body)).toEqual(paid);
  await stopWorker(page);
  expect(await jobs()).toMatchObject({ jobs: [] });
  expect(JSON.parse((await send("GET /api/orders", {})).body)).toEqual(paid);
});
