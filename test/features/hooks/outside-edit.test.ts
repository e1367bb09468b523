import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createStandin, type Standin } from "../../../src/index.ts";
import { createFolder } from "../../support/cli.ts";

test("an edit of the file by another program keeps what is due", async () => {
  const source = join(createFolder({ "db.json": { orders: [] } }), "db.json");
  const timeline = [{ name: "pay", on: "orders.created", after: "1h", set: { status: "paid" } }];
  const serve = async (): Promise<Standin> => {
    const api = await createStandin({ source, persist: true, timeline });
    onTestFinished(() => api.close());
    return api;
  };
  const first = await serve();
  await first.request("POST /orders", { body: {} });
  await first.close();
  writeFileSync(source, readFileSync(source, "utf8").replace('"id": 1', '"id": 1, "note": "edited"'));
  const second = await serve();
  expect(await second.jobs()).toHaveLength(1);
  await second.clock.advance("1h");
  expect((await second.request("GET /orders/1")).body).toEqual({ id: 1, note: "edited", status: "paid" });
});
