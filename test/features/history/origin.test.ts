import { expect, test } from "vitest";
import type { HistoryPage } from "../../../src/features/history/types.ts";
import { type Api, type AskOptions, startApi } from "../../support/api.ts";

const DATA = { products: [{ id: 1, n: 0 }], settings: { theme: "dark" } };
const KEYS = [{ key: "key-of-ann-1", name: "Ann" }, "key-without-name"];

async function byAfter(api: Api, line: string, options: AskOptions): Promise<string | undefined> {
  const answer = await api.ask(line, options);
  expect(answer.status, answer.text).toBeLessThan(300);
  const { headers } = options;
  const { versions } = (await api.ask("GET /__history?limit=1", { ...(headers && { headers }) })).body as HistoryPage;
  return versions[0]?.by;
}

test.each([
  ["a client by its address", {}, /^(127\.0\.0\.1|::1)$/],
  ["the console", { "X-Standin-Console": "1" }, /^console$/],
  ["an agent by its session", { "X-Standin-Agent": " abc123 " }, /^agent:abc123$/],
  ["a client behind a proxy that is trusted", { "X-Forwarded-For": "203.0.113.9, 10.0.0.1" }, /^203\.0\.113\.9$/],
] as const)("names %s", async (_name, headers, by) => {
  const api = await startApi({ data: DATA, trustProxy: true });
  const writes = [
    ["POST /products", { n: 1 }],
    ["PATCH /products/1", { n: 2 }],
    ["PATCH /settings", { theme: "light" }],
    ["PATCH /products?n=2", { n: 3 }],
    ["POST /__batch", { requests: [{ method: "POST", path: "/products", body: {} }] }],
    ["POST /__collections", { name: "orders" }],
    ["PATCH /__collections/orders", { name: "old" }],
    ["DELETE /products/1", undefined],
    ["POST /__reset", undefined],
  ] as const;
  for (const [line, body] of writes) expect(await byAfter(api, line, { body, headers }), line).toMatch(by);
});

test("names a key by its name, never by itself", async () => {
  const layers = { "api-key": { keys: KEYS } };
  const api = await startApi({ data: DATA, middlewares: ["api-key"], layers });
  const write = (key: string) => byAfter(api, "POST /products", { body: {}, headers: { "X-API-Key": key } });
  expect(await write("key-of-ann-1")).toBe("Ann");
  expect(await write("key-without-name")).toMatch(/^(127\.0\.0\.1|::1)$/);
  const { text } = await api.ask("GET /__history", { headers: { "X-API-Key": "key-of-ann-1" } });
  for (const key of ["key-of-ann-1", "key-without-name"]) expect(text).not.toContain(key);
});

test("names a user of signed tokens, and that of the bearer token", async () => {
  const users = [{ email: "ann@shop.test", password: "secret-1" }];
  const signed = await startApi({ data: DATA, middlewares: ["signed-token"], layers: { "signed-token": { users } } });
  const { accessToken } = (await signed.ask("POST /login", { body: users[0] })).body as { accessToken: string };
  const headers = { Authorization: `Bearer ${accessToken}` };
  expect(await byAfter(signed, "POST /products", { body: {}, headers })).toBe("ann@shop.test");
  const bearer = await startApi({ data: DATA, middlewares: ["bearer"], layers: { bearer: { token: "t-1" } } });
  expect(await byAfter(bearer, "POST /products", { body: {}, headers: { Authorization: "Bearer t-1" } })).toBe(
    "user 1",
  );
});

test("names the sandbox of a promotion, which is one version", async () => {
  const api = await startApi({ data: DATA });
  await api.ask("POST /__sandbox/bob/products", { body: { n: 1 } });
  await api.ask("PATCH /__sandbox/bob/products/1", { body: { n: 5 } });
  expect(await byAfter(api, "POST /__sandboxes/bob/promote", { body: {} })).toBe("promote:bob");
  const { versions } = (await api.ask("GET /__history")).body as HistoryPage;
  expect(versions.map(({ summary }) => summary)).toEqual(["products: 1 created, 1 updated"]);
});

test("names a snapshot that is put back by the client who asks for it", async () => {
  const api = await startApi({ data: DATA });
  await api.ask("POST /__snapshots__", { body: { name: "first" } });
  await api.ask("POST /products", { body: {} });
  expect(await byAfter(api, "PUT /__snapshots__/first", { headers: { "X-Standin-Console": "1" } })).toBe("console");
});
