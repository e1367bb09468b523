import { expect, test } from "vitest";
import { affordable, rename } from "../src/shop.ts";
import { api } from "./api.ts";

test("the cheapest come first", async () => {
  expect((await affordable(20)).map(({ name }) => name)).toEqual(["Clay Mug", "Clay Pot"]);
});

test("a new name is kept", async () => {
  await rename(1, "Vase");
  expect(await api.db.products.get(1)).toMatchObject({ name: "Vase", price: 12.75 });
  expect(api.requests({ method: "PATCH" })[0]?.body).toEqual({ name: "Vase" });
});

test("each test finds the data as it was", async () => {
  expect(await api.db.products.get(1)).toMatchObject({ name: "Clay Pot" });
});

test("a shop that is down is an error", async () => {
  api.faults.add({ fault: "status", status: 503, count: 1 });
  await expect(affordable(20)).rejects.toThrow("503");
  api.faults.add({ fault: "reset", count: 1 });
  await expect(affordable(20)).rejects.toThrow(TypeError);
});
