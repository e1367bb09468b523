import { expect, test } from "vitest";
import { askAt, codeOf } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { serveStore } from "../support/serve-store.ts";
import { storeWith } from "./database.ts";

test("sandboxes are refused with the reason, in every way; faults, requests and changes work", async () => {
  const { store } = await storeWith(catalog());
  const { url, close } = await serveStore(store);
  const inside = { headers: { "X-Standin-Sandbox": "a" } };
  for (const [line, options] of [
    ["GET /products", inside],
    ["GET /__sandbox/a/products", {}],
    ["POST /__sandboxes", {}],
  ] as const) {
    const answer = await askAt(url, line, options);
    expect([answer.status, codeOf(answer)], line).toEqual([404, "SANDBOXES_OFF"]);
    expect(answer.text).toContain("Sandboxes need the data in memory");
  }
  await askAt(url, "GET /__changes");
  await askAt(url, "POST /__faults", { body: { fault: "reset", method: "DELETE", after: true } });
  await expect(askAt(url, "DELETE /products/1")).rejects.toThrow();
  expect((await askAt(url, "GET /products/1")).status).toBe(404);
  expect((await askAt(url, "GET /__requests?method=DELETE")).body).toMatchObject({ requests: [{ status: 0 }] });
  expect((await askAt(url, "GET /__changes?wait=5000")).body).toMatchObject({ changes: [{ edits: [{ id: 1 }] }] });
  await close();
});

test("agents: reads see the shared data, writes need shared: true", async () => {
  const { store } = await storeWith(catalog());
  const { url, close } = await serveStore(store);
  const rpc = (id: number, method: string, params: object, headers = {}) =>
    askAt(url, "POST /__mcp", { body: { jsonrpc: "2.0", id, method, params }, headers });
  const clientInfo = { name: "test", version: "1" };
  const begun = await rpc(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const headers = { "Mcp-Session-Id": begun.headers.get("mcp-session-id")! };
  const call = async (name: string, args: object) => {
    const { body } = await rpc(1, "tools/call", { name, arguments: args }, headers);
    return JSON.parse((body as { result: { content: [{ text: string }] } }).result.content[0].text);
  };
  expect(await call("query", { path: "/products/1" })).toMatchObject({ shared: true, record: { id: 1 } });
  const requests = [{ method: "DELETE", path: "/products/1" }];
  const refused = await call("write", { requests });
  expect(refused).toMatchObject({
    code: "SANDBOXES_OFF",
    hint: { tool: "write", arguments: { requests, shared: true } },
  });
  expect((await askAt(url, "GET /products/1")).status).toBe(200);
  expect(await call("write", refused.hint.arguments)).toMatchObject({ shared: true, responses: [{ status: 200 }] });
  expect((await askAt(url, "GET /products/1")).status).toBe(404);
  await close();
});
