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
