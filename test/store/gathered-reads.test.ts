import { expect, test } from "vitest";
import { GatheredReads } from "../../src/store/postgres/read/gathered-reads.ts";
import { StoredRecord } from "../../src/store/stored-record.ts";

/** Reads that are answered when the test says so, with records of all ids but "none". */
function createReads() {
  const sent: string[] = [];
  const settle: (() => void)[] = [];
  const reads = new GatheredReads(async (collection, ids) => {
    sent.push(`${collection} ${ids.join()}`);
    await new Promise<void>((resolve, reject) => {
      settle.push(() => (ids.includes("broken") ? reject(new Error("broken")) : resolve()));
    });
    const records = ids.flatMap((id, slot) => (id === "none" ? [] : new StoredRecord({ collection, id }, 1, slot)));
    return new Map(records.map((record) => [(record.value as { id: string }).id, record]));
  });
  return { reads, sent, settleAll: () => settle.splice(0).forEach((one) => void one()) };
}

test("a read by itself is sent at once; those of one turn behind it share a statement for each collection", async () => {
  const { reads, sent, settleAll } = createReads();
  const first = reads.get("products", "1");
  expect(sent).toEqual(["products 1"]);
  const others = [
    reads.get("products", "2"),
    reads.get("companies", "2"),
    reads.get("products", "none"),
    reads.get("products", "2"),
  ];
  expect(sent).toHaveLength(1);
  await expect.poll(() => sent).toEqual(["products 1", "products 2,none", "companies 2"]);
  settleAll();
  expect((await first)?.value).toEqual({ collection: "products", id: "1" });
  const values = (await Promise.all(others)).map((record) => record?.value);
  const product = { collection: "products", id: "2" };
  expect(values).toEqual([product, { collection: "companies", id: "2" }, undefined, product]);
  void reads.get("products", "3");
  expect(sent.at(-1)).toBe("products 3");
});

test("a statement reads at most 100 records", async () => {
  const { reads, sent, settleAll } = createReads();
  const all = [reads.get("products", "first")];
  for (let id = 0; id < 250; id++) all.push(reads.get("products", String(id)));
  await expect.poll(() => sent.map((line) => line.split(",").length)).toEqual([1, 100, 100, 50]);
  settleAll();
  expect((await Promise.all(all)).every(Boolean)).toBe(true);
});

test("a statement that fails rejects all of its reads, and the next one is sent", async () => {
  const { reads, sent, settleAll } = createReads();
  const first = reads.get("products", "1");
  const shared = Promise.allSettled([reads.get("products", "broken"), reads.get("products", "2")]);
  await expect.poll(() => sent).toHaveLength(2);
  settleAll();
  await first;
  expect((await shared).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  void reads.get("products", "3");
  expect(sent.at(-1)).toBe("products 3");
});
