import { expect, test } from "vitest";
import { createLive } from "../../src/features/live/live.ts";
import { createHandler } from "../../src/http/handler.ts";
import { createIsolation } from "../../src/http/isolation.ts";
import { listen } from "../../src/http/server.ts";
import { DEFAULT_SETTINGS, noRewriting } from "../../src/http/service.ts";
import { silentReporter } from "../../src/reporter.ts";
import { Waits } from "../../src/wait.ts";
import { askAt, codeOf } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { storeWith } from "./database.ts";

test("sandboxes are refused with the reason, in every way; faults, requests and changes work", async () => {
  const { store } = await storeWith(catalog());
  const live = createLive(store, DEFAULT_SETTINGS);
  const isolation = createIsolation(store, live, {}, undefined);
  const handler = await createHandler({
    store,
    live,
    rewriter: noRewriting,
    snapshots: undefined,
    steps: [],
    reporter: silentReporter,
    startedAt: Date.now(),
    waits: new Waits(),
    settings: DEFAULT_SETTINGS,
    ...isolation,
  });
  const { url, close } = await listen(handler, "127.0.0.1", 0);
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
  live?.close();
  await close();
});
