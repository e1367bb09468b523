import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { StandinError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json/json.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { MAX_RECEIPTS, Receipts } from "../../src/store/receipts.ts";
import type { ApplyOptions, Change, Store, Write } from "../../src/store/store.ts";
import { databaseOf, opened } from "../durability/opened.ts";
import { asFile, contentOf, eventually, imageOf } from "../durability/place.ts";
import { type Answer, askAt, codeOf, startApi } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { serveStore } from "../support/serve-store.ts";

const DATA = { notes: [{ id: 1, text: "first" }] };
const DAY_MS = 24 * 60 * 60 * 1000;

type Headers = Readonly<Record<string, string>>;

function send(url: string, key: string, headers: Headers = {}, body: unknown = { text: "new" }): Promise<Answer> {
  return askAt(url, "POST /notes", { body, headers: { "Idempotency-Key": key, ...headers } });
}

function isReplayed({ headers }: Answer): boolean {
  return headers.get("idempotency-replayed") === "true";
}

/** The status, and whether the response was repeated. */
async function outcome(answer: Promise<Answer>): Promise<[number, boolean]> {
  const { status } = await answer;
  return [status, isReplayed(await answer)];
}

async function countNotes(url: string): Promise<number> {
  return ((await askAt(url, "GET /notes")).body as unknown[]).length;
}

async function serve(store: Store): Promise<string> {
  const served = await serveStore(store);
  onTestFinished(served.close);
  return served.url;
}

describe("what is kept", () => {
  test("a response is repeated for 24 hours by the server's clock", async () => {
    let now = Date.UTC(2030, 0, 1);
    const { url } = await startApi({ data: DATA, clock: () => now });
    expect(await outcome(send(url, "k"))).toEqual([201, false]);
    now += DAY_MS - 1;
    expect(await outcome(send(url, "k"))).toEqual([201, true]);
    now += 1;
    expect(await outcome(send(url, "k"))).toEqual([201, false]);
    expect(await outcome(send(url, "k"))).toEqual([201, true]);
    expect(await countNotes(url)).toBe(3);
  });

  test("the newest 10,000, without those that have expired, and not more than the memory can take", () => {
    const receipts = new Receipts();
    const add = (key: number, at = 0, json = "{}"): void =>
      receipts.add({ key: String(key), request: "", at, response: { status: 201, json } });
    const keys = (): number[] => [...receipts.values()].map(({ key }) => Number(key));
    for (let key = 0; key <= MAX_RECEIPTS; key++) add(key);
    add(2);
    add(MAX_RECEIPTS + 1);
    expect(receipts.size).toBe(10_000);
    expect([keys().slice(0, 2), keys().slice(-3)]).toEqual([
      [3, 4],
      [MAX_RECEIPTS, 2, MAX_RECEIPTS + 1],
    ]);
    add(-1, DAY_MS);
    expect(keys()).toEqual([-1]);
    const large = "x".repeat(30 * 1024 * 1024);
    for (const key of [1, 2, 3]) add(key, DAY_MS, large);
    expect(keys()).toEqual([2, 3]);
    add(4, DAY_MS, large.repeat(3));
    expect(keys()).toEqual([4]);
  });

  test("a failure of the store is not kept: the same key is carried out later", async () => {
    class Failing extends MemoryStore {
      isFailing = true;
      override apply(write: Write, options?: ApplyOptions): Promise<Change> {
        if (this.isFailing) throw new StandinError("STORE_UNAVAILABLE", "The disk is full.");
        return super.apply(write, options);
      }
    }
    const store = new Failing(State.load(DATA, "id"));
    const url = await serve(store);
    expect(await outcome(send(url, "k"))).toEqual([503, false]);
    store.isFailing = false;
    expect(await outcome(send(url, "k"))).toEqual([201, false]);
    expect(await outcome(send(url, "k"))).toEqual([201, true]);
  });

  test("a key is one visible text of up to 255 characters, in quotes or not", async () => {
    const { url } = await startApi({ data: DATA });
    for (const key of ["", '""', "two words", 'half"', '"open', "a, b", "x".repeat(256), "k\u00e9"]) {
      const refused = await send(url, key);
      expect([key, refused.status, codeOf(refused)]).toEqual([key, 400, "IDEMPOTENCY_KEY_INVALID"]);
    }
    for (const key of ["x".repeat(255), '"two words"', '"say \\"no\\""', "a:b/c=d;e"]) {
      expect([key, ...(await outcome(send(url, key)))]).toEqual([key, 201, false]);
      expect([key, ...(await outcome(send(url, key)))]).toEqual([key, 201, true]);
    }
    expect(await countNotes(url)).toBe(5);
  });

  test("several requests at once with one key: those that differ from the first are 422", async () => {
    const { url } = await startApi({ data: DATA });
    const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => send(url, "k", {}, { text: at % 2 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422, 422]);
    expect(await countNotes(url)).toBe(2);
  });
});

describe("other parts of the server", () => {
  test("a guard comes first, and every credential has keys of its own", async () => {
    const keys = ["first-key-1", "other-key-2", { key: "reader-key-3", permissions: ["read"] }];
    const { url } = await startApi({ data: DATA, middlewares: ["api-key"], layers: { "api-key": { keys } } });
    const as = (apiKey: string): Promise<[number, boolean]> => outcome(send(url, "k", { "X-API-KEY": apiKey }));
    expect(await as("first-key-1")).toEqual([201, false]);
    expect(await as("first-key-1")).toEqual([201, true]);
    expect(await as("other-key-2")).toEqual([201, false]);
    expect(await as("reader-key-3")).toEqual([403, false]);
    expect(await outcome(send(url, "k"))).toEqual([401, false]);
    expect(await outcome(send(url, "k", { "X-API-KEY": "first-key-1", Authorization: "Bearer x" }))).toEqual([
      201,
      false,
    ]);
  });

  test("a retry after a lost response gets it; a fault itself is not kept", async () => {
    const { url } = await startApi({ data: DATA, faults: [{ fault: "reset", after: true, count: 1 }] });
    await expect(send(url, "k")).rejects.toThrow();
    expect(await outcome(send(url, "k", { Prefer: "code=503" }))).toEqual([503, false]);
    expect(await outcome(send(url, "k"))).toEqual([201, true]);
    expect(await countNotes(url)).toBe(2);
  });

  test("an interceptor may put the date into the body, and sees every request", async () => {
    let seen = 0;
    const dated = (req: { method: string; body: JsonObject }, _res: unknown, next: () => void): void => {
      if (req.method === "POST") req.body.at = ++seen;
      next();
    };
    const { url } = await startApi({ data: DATA, middlewares: [dated as never] });
    const first = await send(url, "k");
    const again = await send(url, "k");
    expect([first.body, again.body, isReplayed(again), seen]).toEqual([
      { id: 2, text: "new", at: 1 },
      { id: 2, text: "new", at: 1 },
      true,
      2,
    ]);
    expect((await send(url, "k", {}, { text: "other" })).status).toBe(422);
  });

  test("a sandbox has keys of its own, which a reset of the shared data leaves", async () => {
    const { url, ask } = await startApi({ data: DATA });
    const inside = { "X-Standin-Sandbox": "one" };
    expect(await outcome(send(url, "k"))).toEqual([201, false]);
    expect(await outcome(send(url, "k", inside))).toEqual([201, false]);
    await ask("POST /__reset");
    expect(await outcome(send(url, "k", inside))).toEqual([201, true]);
    expect(await outcome(send(url, "k"))).toEqual([201, false]);
  });

  test("a repeated response is in the traffic log, but in no event", async () => {
    const { url, ask } = await startApi({ data: DATA });
    await send(url, "k");
    await send(url, "k");
    const { changes } = (await ask("GET /__changes")).body as { changes: unknown[] };
    expect(changes).toHaveLength(1);
    const { requests } = (await ask("GET /__requests?method=POST")).body as { requests: JsonObject[] };
    const bodies = { requestBody: '{"text":"new"}', responseBody: '{"text":"new","id":2}' };
    expect(requests).toMatchObject([
      { status: 201, answeredBy: "route", ...bodies },
      { status: 201, answeredBy: "replay", ...bodies },
    ]);
  });

  test("pages of other origins can read that it was repeated", async () => {
    const { url } = await startApi({ data: DATA });
    await send(url, "k");
    const { headers } = await send(url, "k", { Origin: "http://shop.example" });
    expect(headers.get("access-control-expose-headers")).toBe("ETag, Location, Idempotency-Replayed");
  });

  test("routes of ours ignore it, and a snapshot that is restored forgets it", async () => {
    const { url, ask } = await startApi({ data: DATA, snapshots: createFolder() });
    await ask("POST /__snapshots__", { body: { name: "s" }, headers: { "Idempotency-Key": "k" } });
    await send(url, "k");
    await ask("PUT /__snapshots__/s");
    expect(await outcome(send(url, "k"))).toEqual([201, false]);
    for (let times = 0; times < 2; times++) {
      const reset = await ask("POST /__reset", { headers: { "Idempotency-Key": "k" } });
      expect([reset.status, isReplayed(reset)]).toEqual([200, false]);
    }
  });

  test("/__openapi.json names the header on POST and PATCH alone", async () => {
    const { ask } = await startApi({ data: { ...DATA, profile: {} } });
    const { paths } = (await ask("GET /__openapi.json")).body as { paths: Record<string, Record<string, JsonObject>> };
    const taking = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        JSON.stringify(operation).includes("parameters/idempotency-key") ? `${method} ${path}` : [],
      ),
    );
    expect(taking.sort()).toEqual([
      "patch /notes",
      "patch /notes/{id}",
      "patch /profile",
      "post /__batch",
      "post /notes",
      "post /profile",
    ]);
    expect(Object.keys(paths["/notes"]!.post!.responses as JsonObject)).toContain("422");
  });
});

describe("on a data file", () => {
  const place = (): string => createFolder({ "db.json": asFile(DATA) });
  const receiptsIn = (folder: string): string => join(folder, ".standin", "db.json.receipts");
  const isFolded = (folder: string) => (): boolean => {
    const files = Object.keys(contentOf(folder));
    return files.includes(".standin/db.json.receipts") && !files.includes(".standin/db.json.journal");
  };

  test("a restart keeps them, as long as the data file is the same", async () => {
    const folder = place();
    const secret = { Authorization: "Bearer very-secret" };
    const first = await opened(folder);
    const url = await serve(first.store);
    const created = await send(url, "my-key", secret);
    const refused = await askAt(url, "PATCH /notes/9", { body: {}, headers: { "Idempotency-Key": "my-key" } });
    expect([created.status, refused.status]).toEqual([201, 404]);
    await first.store.close();
    expect(statSync(receiptsIn(folder)).mode & 0o777).toBe(0o600);
    expect(readFileSync(receiptsIn(folder), "utf8")).not.toMatch(/secret|my-key/);
    expect(JSON.parse(readFileSync(join(folder, "db.json"), "utf8"))).toMatchObject({ notes: [{}, { text: "new" }] });

    const second = await opened(folder);
    const url2 = await serve(second.store);
    const again = await send(url2, "my-key", secret);
    expect([again.text, again.headers.get("etag"), isReplayed(again)]).toEqual([
      created.text,
      created.headers.get("etag"),
      true,
    ]);
    expect(isReplayed(await send(url2, "my-key"))).toBe(false);
    const missing = await askAt(url2, "PATCH /notes/9", { body: {}, headers: { "Idempotency-Key": "my-key" } });
    expect([missing.status, isReplayed(missing)]).toEqual([404, true]);
    await second.store.close();

    writeFileSync(join(folder, "db.json"), asFile(DATA));
    const third = await opened(folder);
    expect(await outcome(send(await serve(third.store), "my-key", secret))).toEqual([201, false]);
    await third.store.close();
  });

  test("what a server no longer allows is refused, not repeated", async () => {
    const { store } = await opened(place());
    const url = await serve(store);
    const batch = {
      body: { requests: [{ method: "POST", path: "/notes", body: {} }] },
      headers: { "Idempotency-Key": "k" },
    };
    expect([(await send(url, "k")).status, (await askAt(url, "POST /__batch", batch)).status]).toEqual([201, 200]);
    const readOnly = await serveStore(store, { readOnly: true });
    const pass = (_req: unknown, _res: unknown, next: () => void): void => next();
    const steps = [{ kind: "interceptor" as const, file: "pass.js", functions: [pass as never] }];
    const intercepted = await serveStore(store, {}, { steps });
    onTestFinished(async () => {
      await readOnly.close();
      await intercepted.close();
    });
    expect(codeOf(await send(readOnly.url, "k"))).toBe("READ_ONLY");
    expect(isReplayed(await send(intercepted.url, "k"))).toBe(true);
    expect(codeOf(await askAt(intercepted.url, "POST /__batch", batch))).toBe("BATCH_UNAVAILABLE");
    expect(isReplayed(await askAt(url, "POST /__batch", batch))).toBe(true);
  });

  test("a reset, a reload, and other data on the disk forget them for good", async () => {
    for (const end of ["reset", "reload"] as const) {
      const folder = place();
      const { store } = await opened(folder, { followsOutside: true });
      const url = await serve(store);
      await send(url, "k");
      await eventually(isFolded(folder));
      if (end === "reset") await store.reset();
      else {
        writeFileSync(join(folder, "db.json"), asFile({ notes: [] }));
        expect(await store.reload()).toBe(true);
      }
      expect(await outcome(send(url, "k"))).toEqual([201, false]);
      await store.reset();
      const image = imageOf(folder);
      await store.close();
      for (const left of [image, folder]) {
        const { store: next } = await opened(left);
        expect(await outcome(send(await serve(next), "k"))).toEqual([201, false]);
        await next.close();
      }
    }
  });

  test("files copied at any moment hold a write and its key, or neither", async () => {
    const folder = place();
    const { store } = await opened(folder);
    const url = await serve(store);
    const images: { image: string; acknowledged: number }[] = [];
    let acknowledged = 0;
    const writing = (async () => {
      for (let n = 1; n <= 40; n++) {
        // Some without a key, so that saves have no new one.
        if (n % 7 === 0) await askAt(url, "PATCH /notes/1", { body: { n } });
        await send(url, `k${n}`, {}, { n });
        acknowledged = n;
      }
    })();
    for (let copies = 0; copies < 8; copies++) {
      const before = acknowledged;
      await eventually(() => acknowledged > before + 2 || acknowledged === 40);
      images.push({ image: imageOf(folder), acknowledged });
    }
    await writing;
    for (const { image, acknowledged: least } of images) {
      const { store: next } = await opened(image);
      const { notes } = (await databaseOf(next)) as { notes: { n?: number; id: number }[] };
      const written = new Set(notes.filter(({ id }) => id > 1).map(({ n }) => n));
      const nextUrl = await serve(next);
      expect(written.size).toBeGreaterThanOrEqual(least);
      const last = written.size;
      expect(await outcome(send(nextUrl, `k${last}`, {}, { n: last }))).toEqual([201, true]);
      expect(await outcome(send(nextUrl, `k${last + 1}`, {}, { n: last + 1 }))).toEqual([201, false]);
      await next.close();
      rmSync(image, { recursive: true, force: true });
    }
  });
});
