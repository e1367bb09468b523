/**
 * One body of 10 MB held the event loop for seconds: the search for a mistake in it, a POST of three million records. How
 * long the turns of the event loop take with bodies of 10 MB is measured by `npm run soak` (worst-bodies.soak.test.ts).
 */
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { askAt, codeOf, idsOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { type WorstBody, worstBodies } from "../support/worst-bodies.ts";

const BYTES = 640 * 1024;

/** Sends it and gives back the status; what else is answered is not looked at, since looking is work, too. */
function statusOf(url: string, { line, type }: WorstBody, bytes: Buffer): Promise<number | undefined> {
  const [method = "", path = ""] = line.split(" ");
  const headers = { "Content-Type": type ?? "application/json", "Content-Length": bytes.length };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers, agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    sent.on("error", reject).end(bytes);
  });
}

describe("a large body", () => {
  const bodies = { ...worstBodies(BYTES) };
  // That many values take that much text.
  const MANY_VALUES = "more values than are allowed";
  bodies[MANY_VALUES] = worstBodies(2 * 1024 * 1024)[MANY_VALUES]!;
  for (const [name, worst] of Object.entries(bodies)) {
    test(`${name}: ${worst.line} -> ${worst.status}`, async () => {
      const api = await startApi({ data: { ...catalog(), profile: { name: "Ada" } } });
      expect(await statusOf(api.url, worst, Buffer.from(worst.body))).toBe(worst.status);
    });
  }
});

describe("limits of a body", () => {
  const keysOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

  test("5000 records in one POST are taken, one more is refused", async () => {
    const api = await startApi();
    const records = Array.from({ length: 5000 }, () => ({}));
    expect((await api.ask("POST /products", { body: records })).body).toHaveLength(5000);
    const refused = await api.ask("POST /products", { body: [...records, {}] });
    expect([refused.status, codeOf(refused)]).toEqual([413, "BODY_TOO_LARGE"]);
    expect((refused.body as { message: string }).message).toContain("5000 records");
  });

  test("10,000 keys of an object are taken, one more is refused, wherever it stands", async () => {
    const api = await startApi();
    expect((await api.ask("POST /products", { body: keysOf(10_000) })).status).toBe(201);
    for (const body of [keysOf(10_001), { a: [keysOf(10_001)] }, [keysOf(10_001)]]) {
      const refused = await api.ask("POST /products", { body });
      expect([refused.status, codeOf(refused)]).toEqual([413, "BODY_TOO_LARGE"]);
    }
  });

  test("a form of more than 100 kB is refused, as in 0.17", async () => {
    const api = await startApi();
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await api.ask("POST /products", { body: `a=${"x".repeat(100_000)}`, headers })).status).toBe(201);
    expect((await api.ask("POST /products", { body: `a=${"x".repeat(110_000)}`, headers })).status).toBe(413);
  });
});

describe("a large write and others beside it", () => {
  const large = { a: Array.from({ length: 20_000 }, (_, at) => ({ at })) };

  test("it is whole and in its order, and those that came meanwhile come after it", async () => {
    const api = await startApi();
    const answers = await Promise.all([
      api.ask("POST /products", { body: large }),
      api.ask("POST /products", { body: { name: "Hat" } }),
      api.ask("PATCH /products/1", { body: { name: "Cap" } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200]);
    const [id, other] = answers.map(({ body }) => (body as { id: number }).id);
    expect([id, other].sort()).toEqual([13, 14]);
    expect((await api.ask(`GET /products/${id}`)).body).toEqual({ ...large, id });
  });

  test("large records that go together come back as they were after a crash", async () => {
    const long = (id: number, company: number) => ({ id, company_id: company, text: "x".repeat(70_000) });
    const products = [long(1, 1), long(2, 2), long(3, 1), long(4, 2), long(5, 1)];
    const folder = createFolder({ "db.json": { companies: [{ id: 1 }, { id: 2 }], products } });
    const served = await serveCli(["db.json"], folder);
    const removed = await askAt(served.url, "DELETE /companies/1?_dependent=products");
    expect(removed.status).toBe(200);
    served.child.kill("SIGKILL");
    await served.exit;
    const again = await serveKept(["db.json"], folder);
    expect(idsOf(await askAt(again.url, "GET /products"))).toEqual([2, 4]);
    await again.stop();
  });

  test("data that are exchanged meanwhile: it is planned anew", async () => {
    const api = await startApi();
    await api.ask("POST /products", { body: { name: "Hat" } });
    const [written] = await Promise.all([
      api.ask("PATCH /products/1", { body: large }),
      api.ask("POST /__reset", { headers: { "Content-Length": "0" } }),
    ]);
    expect(written?.status).toBe(200);
    const { body } = await api.ask("GET /products");
    expect([12, 13]).toContain((body as unknown[]).length);
  });

  test("through an interceptor, and indented", async () => {
    const pass = (_req: unknown, _res: unknown, next: () => void): void => next();
    const expected = { ...large, id: 13 };
    const through = await (await startApi({ middlewares: [pass] })).ask("POST /products", { body: large });
    expect(through.text === JSON.stringify(expected)).toBe(true);
    const pretty = await (await startApi({ pretty: true })).ask("POST /products", { body: large });
    expect(pretty.text === JSON.stringify(expected, null, 2)).toBe(true);
  });
});
