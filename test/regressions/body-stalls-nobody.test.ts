/**
 * One body of 10 MB held the event loop for seconds: the search for a mistake in it, a POST of three million records, the
 * parsing itself. How long a turn of the loop takes is measured in processor time, which a busy machine hardly changes, and
 * compared with what all turns took together.
 */
import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import { askAt, codeOf, idsOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { worstBodies } from "../support/worst-bodies.ts";

const BYTES = 2 * 1024 * 1024;
/** Less than this is no stall, whatever share of a short request it is. */
const A_FEW_SLICES_MS = 40;

/** How long each turn of the event loop takes until it is stopped, in milliseconds of processor time. */
function watchTurns(): () => number[] {
  const turns: number[] = [];
  let isWatching = true;
  let before = process.cpuUsage();
  const turn = (): void => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    turns.push((user + system) / 1000);
    if (isWatching) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isWatching = false;
    return turns;
  };
}

describe("a large body is worked off in many turns", () => {
  for (const [name, { line, body, type, status }] of Object.entries(worstBodies(BYTES))) {
    // A stall is there every time; what the garbage collector adds to one turn is not.
    test(`${name}: ${line} -> ${status}`, { retry: 3 }, async () => {
      const data = { ...catalog(), profile: { name: "Ada" } };
      const file = `${createFolder({ "db.json": data })}/db.json`;
      const api = await createStandin({ source: file, persist: true });
      onTestFinished(() => api.close());
      const bytes = Buffer.from(body);
      const stop = watchTurns();
      const answer = await askAt(api.url, line, {
        body: bytes,
        headers: { "Content-Type": type ?? "application/json" },
      });
      const turns = stop();
      expect(answer.status, answer.text.slice(0, 200)).toBe(status);
      const total = turns.reduce((sum, ms) => sum + ms, 0);
      expect(Math.max(...turns)).toBeLessThan(Math.max(total / 3, A_FEW_SLICES_MS));
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
  const large = { a: Array.from({ length: 60_000 }, (_, at) => ({ at })) };

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
