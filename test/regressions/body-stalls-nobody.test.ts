/**
 * One body of 10 MB held the event loop for seconds: the search for a mistake in it, a POST of three million records, the
 * parsing itself. Work that takes long offers pauses and looks at the clock at each of them. Here time is up at every look,
 * so every pause is taken, and how much is done between two of them does not depend on the machine. How long the turns of
 * the event loop take with bodies of 10 MB is measured by `npm run soak` (worst-bodies.soak.test.ts).
 */
import { request } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createStandin } from "../../src/index.ts";
import { askAt, codeOf, idsOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { IS_SOAK, testAtLength } from "../support/soak.ts";
import { type WorstBody, worstBodies } from "../support/worst-bodies.ts";

const BYTES = 640 * 1024;
/** More than a slice of work may take. */
const LONG_MS = 1000;
/** Letters and bytes in one step: some are twice the 256 kB that are decoded at a time. */
const MOST_TAKEN = 600_000;
/** On average, over all that is done with a body: most of it goes in steps of 16 and 64 kB. A form is refused unread. */
const MOST_PER_STEP = 100_000;

interface Steps {
  count: number;
  /** Letters and bytes that went through JSON, buffers and decoders, or were looked at one by one, in the longest step. */
  longest: number;
}

/** Watches the steps of work until it is stopped. */
function watchSteps(): () => Steps {
  const steps: Steps = { count: 0, longest: 0 };
  let [taken, now, isWatching] = [0, performance.now(), true];
  const end = (): void => {
    steps.longest = Math.max(steps.longest, taken);
    taken = 0;
  };
  const pause = (): number => {
    steps.count++;
    end();
    now += LONG_MS;
    return now;
  };
  // Work that waits for a file between its steps, such as a save, does not need to check the clock.
  const turn = (): void => {
    end();
    if (isWatching) setImmediate(turn);
  };
  turn();
  const { parse, stringify } = JSON;
  const { from } = Buffer;
  const { decode } = TextDecoder.prototype;
  const { charCodeAt } = String.prototype;
  vi.spyOn(performance, "now").mockImplementation(pause);
  const spies: (() => void)[] = [];
  const replace = <T extends object, K extends keyof T>(object: T, name: K, value: T[K]): void => {
    const before = object[name];
    object[name] = value;
    spies.push(() => {
      object[name] = before;
    });
  };
  replace(JSON, "parse", (text: string, ...more: []) => {
    // Blanks around a value are passed over as fast as memory is read.
    taken += text.trim().length;
    return parse(text, ...more);
  });
  replace(JSON, "stringify", ((...given: Parameters<typeof stringify>) => {
    const text = stringify(...given);
    taken += text?.length ?? 0;
    return text;
  }) as typeof stringify);
  replace(Buffer, "from", ((...given: Parameters<typeof from>) => {
    const bytes = from(...given);
    taken += bytes.length;
    return bytes;
  }) as typeof from);
  replace(TextDecoder.prototype, "decode", function (this: InstanceType<typeof TextDecoder>, bytes, options) {
    taken += bytes?.byteLength ?? 0;
    return decode.call(this, bytes, options);
  });
  replace(String.prototype, "charCodeAt", function (this: string, at) {
    taken++;
    return charCodeAt.call(this, at);
  });
  return () => {
    end();
    isWatching = false;
    vi.restoreAllMocks();
    for (const undo of spies) undo();
    return steps;
  };
}

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

describe("a large body is worked off in many turns", () => {
  const bodies = { ...worstBodies(BYTES) };
  // That many values take that much text.
  const MANY_VALUES = "more values than are allowed";
  if (IS_SOAK) bodies[MANY_VALUES] = worstBodies(2 * 1024 * 1024)[MANY_VALUES]!;
  /** One for each kind of work: the others are left to the soak. */
  const BRIEF = new Set([
    "as many records as are allowed",
    "a record of numbers",
    "a record of records",
    "a text of escapes",
    "numbers, and a mistake",
    "a form",
  ]);
  for (const [name, worst] of Object.entries(bodies)) {
    const run = BRIEF.has(name) ? test : testAtLength;
    run(`${name}: ${worst.line} -> ${worst.status}`, async () => {
      const data = { ...catalog(), profile: { name: "Ada" } };
      const file = `${createFolder({ "db.json": data })}/db.json`;
      const api = await createStandin({ source: file, persist: true });
      onTestFinished(() => api.close());
      const bytes = Buffer.from(worst.body);
      const stop = watchSteps();
      const status = await statusOf(api.url, worst, bytes);
      const steps = stop();
      expect(status).toBe(worst.status);
      expect(steps.longest).toBeLessThan(MOST_TAKEN);
      if (name !== "a form") expect(steps.count).toBeGreaterThan(bytes.length / MOST_PER_STEP);
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
