import { describe, expect, test } from "vitest";
import { codeOf, startApi } from "../../support/api.ts";
import { startLayered } from "../../support/layers.ts";

const KEY = "key-0123456789";
const TOKEN = "token-0123456789";
const LAYERS = { "api-key": { keys: [KEY] }, bearer: { token: TOKEN } };
const CREDENTIALS = { "api-key": { "X-API-KEY": KEY }, bearer: { Authorization: `Bearer ${TOKEN}` } };

/** Everything of ours that shows or changes data, and how a path around the guard might be written. */
const GUARDED = [
  "GET /__overview",
  "HEAD /__overview",
  "GET /__overview/",
  "GET /%5F%5Foverview",
  "GET //__overview",
  "GET /./__overview",
  "GET /__console/../__overview",
  "GET /__docs/..%2f__overview",
  "GET /health/../__overview",
  "POST /__rewrite",
  "GET /__requests",
  "DELETE /__requests",
  "GET /__events",
  "GET /__events?collection=products",
  "GET /__openapi.json",
  "GET /__snapshots__/x",
  "GET /__snapshots__/x/comparison",
  "PUT /__snapshots__/x",
];

for (const guard of ["api-key", "bearer"] as const) {
  for (const where of ["", " behind an interceptor"]) {
    test(`${guard}${where} protects every route of ours that shows or changes data`, async () => {
      const interceptor = where === "" ? [] : ["./test/fixtures/middlewares/envelope-jsonp.cjs"];
      const api = await startLayered({ middlewares: [...interceptor, guard], layers: LAYERS });
      for (const line of GUARDED) {
        expect([line, (await api.ask(line)).status]).toEqual([line, 401]);
        const overridden = { "X-HTTP-Method-Override": line.split(" ")[0]! };
        const posted = await api.ask(`POST ${line.split(" ")[1]}`, { headers: overridden });
        expect([line, posted.status]).toEqual([line, 401]);
      }
      for (const line of ["GET /__overview", "GET /__requests", "GET /__openapi.json", "HEAD /__events"]) {
        expect([line, (await api.ask(line, { headers: CREDENTIALS[guard] })).status]).toEqual([line, 200]);
      }
    });
  }
}

describe("a page of another origin", () => {
  test("may neither read nor write our own routes, whatever the CORS rules", async () => {
    const api = await startApi();
    await api.ask("GET /products/1");
    for (const line of ["POST /__rewrite", "DELETE /__requests", "POST /__reset", "GET /__requests"]) {
      const headers = { Origin: "https://elsewhere.example" };
      const answer = await api.ask(line, { headers, ...(line.startsWith("POST") ? { body: { path: "/x" } } : {}) });
      expect([line, codeOf(answer)]).toEqual([line, "CROSS_ORIGIN"]);
    }
    const { requests } = (await api.ask("GET /__requests")).body as { requests: unknown[] };
    expect(requests).toHaveLength(1);
    const own = { Origin: api.url, Host: new URL(api.url).host };
    expect((await api.ask("DELETE /__requests", { headers: own })).status).toBe(200);
  });
});
