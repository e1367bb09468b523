import { expect, onTestFinished, test } from "vitest";
import { createFetch } from "../../../src/app/fetch.ts";
import { createStandin } from "../../../src/index.ts";

const data = { products: [{ id: 1, name: "Hat", price: 5 }] };

const doors = { createStandin, createFetch } as const;

for (const [door, create] of Object.entries(doors)) {
  test(`${door}: a program sees, visits and takes back what was changed`, async () => {
    const api = await create({ data });
    onTestFinished(() => api.close());
    await api.request("PATCH /products/1", { body: { price: 50 } });
    await api.db.products.create({ name: "Cap", price: 6 });
    const { versions, latest } = await api.history.list();
    expect(versions.map(({ summary, by }) => [summary, by])).toEqual([
      ["products: 1 created", "program"],
      ["products: 1 updated", expect.any(String)],
    ]);
    const past = await api.history.at(latest - 2);
    expect(await past.db.products.get(1)).toMatchObject({ price: 5 });
    expect((await past.request("GET /products")).body).toEqual(data.products);
    await expect(past.db.products.create({ name: "Late", price: 0 })).rejects.toMatchObject({
      code: "HISTORY_READ_ONLY",
    });
    expect((await past.request("POST /products", { body: {} })).status).toBe(405);
    const reverted = await api.history.revert(latest - 1);
    expect(reverted).toMatchObject({ cause: "revert", by: "program", version: latest + 1 });
    expect(await api.db.products.get(1)).toMatchObject({ price: 5 });
    expect(await api.history.restore(latest - 2)).toMatchObject({ cause: "restore" });
    expect(await api.db.products.find()).toHaveLength(1);
    const sandbox = api.sandbox();
    await sandbox.db.products.update(1, { price: 7 });
    const [change] = (await sandbox.history.list()).versions;
    await sandbox.history.revert(change?.version ?? 0);
    expect(await sandbox.db.products.get(1)).toMatchObject({ price: 5 });
  });

  test(`${door}: without a history, every call says so`, async () => {
    const api = await create({ data, history: "off" });
    onTestFinished(() => api.close());
    await expect(api.history.list()).rejects.toMatchObject({ code: "HISTORY_OFF" });
    await expect(api.history.at(1)).rejects.toMatchObject({ code: "HISTORY_OFF" });
  });
}

test.each(["-5", "1.5", "many", "5y", "0"])("history: %s stops the start", async (history) => {
  await expect(createStandin({ data, history })).rejects.toThrow(/history: .*1000.*30d.*off/);
});
