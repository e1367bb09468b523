import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { startLayered } from "../support/layers.ts";

const closed = [
  ...["/__requests", "/__requests?callback=show", "/__changes", "/__events", "/__overview"],
  ...["/__sandboxes", "/__faults", "/__collections", "/__collections/products", "/log", "/__sandbox/a/__changes"],
];
const open = ["/__openapi.json", "/__types", "/__rules", "/products", "/db", "/llms.txt"];
const OTHERS = ["http://evil.test", "null", "http://localhost:1"];
const rules = { "/log": "/__requests" };
const pass = resolve("test/fixtures/middlewares/pass.cjs");

for (const middlewares of [[], ["cors"], [pass]]) {
  const name = middlewares.map((one) => (one === pass ? "an interceptor" : one)).join() || "no layers";
  describe(`with ${name}`, () => {
    test("pages of other origins get 403 from routes that show data, traffic or snapshots", async () => {
      const api = await startLayered({ middlewares, rules });
      for (const Origin of OTHERS) {
        for (const path of closed) {
          const { status, body } = await api.ask(`GET ${path}`, { headers: { Origin } });
          expect([path, status, body]).toEqual([path, 403, expect.objectContaining({ code: "CROSS_ORIGIN" })]);
        }
        for (const path of open) {
          expect([path, (await api.ask(`GET ${path}`, { headers: { Origin } })).status]).toEqual([path, 200]);
        }
      }
    });

    test("pages of this server and programs read them", async () => {
      const api = await startLayered({ middlewares, rules });
      for (const headers of [{}, { Origin: api.url }]) {
        for (const path of ["/__requests", "/__changes", "/__overview", "/log"]) {
          expect((await api.ask(`GET ${path}`, { headers })).status, path).toBe(200);
        }
      }
    });

    test("no own route sends a script, which any page could load; the data still does", async () => {
      const api = await startLayered({ middlewares, rules });
      for (const path of ["/__requests", "/__overview", "/__changes", "/__rules", "/log"]) {
        const { headers, body } = await api.ask(`GET ${path}?callback=show`);
        expect([path, headers.get("content-type")]).toEqual([path, expect.stringContaining("application/json")]);
        expect(body, path).toBeTypeOf("object");
      }
      const { headers, text } = await api.ask("GET /products?callback=show");
      expect(headers.get("content-type")).toContain("javascript");
      expect(text).toContain("show(");
    });
  });
}

test("snapshots and their content, with and without CORS", async () => {
  for (const cors of [true, false]) {
    const api = await startApi({ cors });
    const { id } = (await api.ask("POST /__snapshots__")).body as { id: string };
    for (const path of ["/__snapshots__", `/__snapshots__/${id}`, `/__snapshots__/${id}/comparison`]) {
      expect((await api.ask(`GET ${path}`, { headers: { Origin: "http://evil.test" } })).status, path).toBe(403);
    }
    const { headers } = await api.ask("GET /__snapshots__?callback=show");
    expect(headers.get("content-type")).toContain("application/json");
  }
});
