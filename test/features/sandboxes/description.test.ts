import { expect, test } from "vitest";
import { startApi } from "../../support/api.ts";

test("a description read inside a sandbox sends its readers there, not to the main data", async () => {
  const api = await startApi({ data: { products: [{ id: 1 }] } });
  const servers = async (path: string) => ((await api.ask(`GET ${path}`)).body as { servers: unknown }).servers;
  expect(await servers("/__openapi.json")).toEqual([{ url: api.url }]);
  expect(await servers("/__sandbox/ann/__openapi.json")).toEqual([{ url: `${api.url}/__sandbox/ann` }]);
});
