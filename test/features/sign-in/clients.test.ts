import { transform } from "esbuild";
import { expect, test } from "vitest";
import type { StandinClientOptions, StandinCollection } from "../../../clients/client.ts";
import { writtenFor } from "../description/clients/written-client.ts";
import { openShop, shopUsers } from "./shop.ts";

interface Shop {
  readonly orders: StandinCollection<{ id: number; user_id: number }, number, "id">;
}

test("a generated client signs in as a user, again after all data was replaced, and in a sandbox", async () => {
  const { code } = await transform(await writtenFor({ data: shopUsers() }, "client"), {
    loader: "ts",
    target: "node20",
  });
  const address = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
  const { StandinClient } = (await import(/* @vite-ignore */ address)) as {
    StandinClient: new (options: StandinClientOptions) => Shop;
  };
  await using api = await openShop();
  const client = new StandinClient({ url: api.url, user: "bob@shop.test" });
  await client.orders.create({ user_id: 2 });
  expect((await api.history.list({ limit: 1 })).versions[0]?.by).toBe("bob@shop.test");
  await api.reset();
  expect(await client.orders.list()).toEqual([{ id: 1, user_id: 1 }]);
  const inSandbox = new StandinClient({ url: api.url, user: "bob@shop.test", sandbox: "of-bob" });
  expect(await inSandbox.orders.list()).toHaveLength(1);
  const nobody = new StandinClient({ url: api.url, user: "nobody@shop.test" });
  await expect(nobody.orders.list()).rejects.toMatchObject({ status: 400 });
});
