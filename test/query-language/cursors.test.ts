import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin } from "../../src/index.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { Random } from "../compat/random.ts";
import { type Answer, askAt, codeOf, idsOf, startApi } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { expectEqual } from "../support/expect-equal.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { walkUnderWrites } from "./walk.ts";

/** npm run soak walks more. */
const WALKS = Number(process.env.STANDIN_CURSOR_WALKS ?? 30);
const SEED = Number(process.env.STANDIN_SEED ?? 1);

describe(`cursors while records come and go (STANDIN_SEED=${SEED})`, () => {
  for (const [title, minIndexed, seed] of [
    ["by scan", Number.POSITIVE_INFINITY, SEED],
    ["by index", 1, SEED + 1],
  ] as const) {
    test(`${WALKS} walks ${title} meet every record that stayed, and none twice`, async () => {
      const random = new Random(seed);
      const open = async (things: JsonObject[]) => new MemoryStore(State.load({ things }, "id", { minIndexed }));
      let pages = 0;
      for (let walk = 0; walk < WALKS; walk++) {
        const report = await walkUnderWrites(open, random, 30);
        expectEqual({ ...report, twice: [], missed: [], wrong: [] }, report);
        pages += report.pages;
      }
      tellNumbers(`${WALKS} walks of ${pages} pages ${title}: no record twice, none missed.`);
    });
  }
});

describe("a cursor belongs to the data, the sort and the filter", () => {
  const things = Array.from({ length: 6 }, (_, at) => ({ id: at + 1, size: 6 - at, kind: at % 2 ? "a" : "b" }));
  const first = "GET /things?_sort=size&_limit=2&_after=";
  const cursorOf = ({ headers }: Answer): string => /_after=([^&>]*)/.exec(headers.get("link") ?? "")![1]!;

  test("it goes on where it stands while records come and go", async () => {
    const api = await startApi({ data: { things: structuredClone(things) } });
    const page = await api.ask(first);
    expect(idsOf(page)).toEqual([6, 5]);
    const cursor = cursorOf(page);
    await api.ask("DELETE /things/5");
    await api.ask("POST /things", { body: { size: 0 } });
    await api.ask("POST /things", { body: { size: 2 } });
    // The new record of the same size stands behind the one the cursor names.
    expect(idsOf(await api.ask(`${first}${cursor}`))).toEqual([8, 4]);
  });

  test("the last page has no Link, and no page a Content-Range", async () => {
    const api = await startApi({ data: { things: structuredClone(things) } });
    const page = await api.ask("GET /things?_limit=4&_after=");
    expect(page.headers.get("content-range")).toBeNull();
    expect(page.headers.get("link")).toMatch(/^<[^>]*_after=[^>]+>; rel="next"$/);
    const last = await api.ask(`GET /things?_limit=4&_after=${cursorOf(page)}`);
    expect(idsOf(last)).toEqual([5, 6]);
    expect(last.headers.get("link")).toBeNull();
  });

  const cases: [title: string, line: (cursor: string) => string][] = [
    ["another sort", (cursor) => `GET /things?_sort=-size&_limit=2&_after=${cursor}`],
    ["another order", (cursor) => `GET /things?_sort=size&_order=desc&_limit=2&_after=${cursor}`],
    ["no sort", (cursor) => `GET /things?_limit=2&_after=${cursor}`],
    ["another filter", (cursor) => `${first}${cursor}&kind=a`],
    ["a search", (cursor) => `${first}${cursor}&q=a`],
    ["another collection", (cursor) => `GET /others?_sort=size&_limit=2&_after=${cursor}`],
    ["one character less", (cursor) => `${first}${cursor.slice(0, -1)}`],
    [
      "one character changed",
      (cursor) => `${first}${cursor.slice(0, 20)}${cursor[20] === "A" ? "B" : "A"}${cursor.slice(21)}`,
    ],
    ["nonsense", () => `${first}nonsense`],
    ["not of its alphabet", () => `${first}%00%FF`],
    ["very long", () => `${first}${"A".repeat(5000)}`],
    ["JSON", () => `${first}${Buffer.from('["x",1]').toString("base64url")}`],
  ];
  for (const [title, line] of cases) {
    test(`${title}: 400 CURSOR_INVALID`, async () => {
      const api = await startApi({ data: { things: structuredClone(things), others: structuredClone(things) } });
      const answer = await api.ask(line(cursorOf(await api.ask(first))));
      expect([answer.status, codeOf(answer)]).toEqual([400, "CURSOR_INVALID"]);
    });
  }

  test("a larger page may follow a smaller one, and fields may be selected", async () => {
    const api = await startApi({ data: { things: structuredClone(things) } });
    const cursor = cursorOf(await api.ask(first));
    expect((await api.ask(`GET /things?_sort=size&_limit=9&_after=${cursor}&_fields=id`)).body).toEqual([
      { id: 4 },
      { id: 3 },
      { id: 2 },
      { id: 1 },
    ]);
  });

  for (const [title, replace] of [
    ["a reset", async (ask) => void (await ask("POST /__reset"))],
    [
      "a restore",
      async (ask) => {
        const { id } = (await ask("POST /__snapshots__")).body as { id: string };
        expect((await ask(`PUT /__snapshots__/${id}`)).status).toBe(200);
      },
    ],
  ] as [string, (ask: (line: string) => Promise<Answer>) => Promise<void>][]) {
    test(`after ${title}: 400 CURSOR_INVALID`, async () => {
      const api = await startApi({ data: { things: structuredClone(things) }, snapshots: createFolder() });
      const cursor = cursorOf(await api.ask(first));
      await replace(api.ask);
      const answer = await api.ask(`${first}${cursor}`);
      expect([answer.status, codeOf(answer)]).toEqual([400, "CURSOR_INVALID"]);
      expect(answer.text).toContain("_after=");
    });
  }

  test("after a restart: 400 CURSOR_INVALID", async () => {
    const folder = createFolder({ "db.json": { things } });
    const start = () => createStandin({ source: join(folder, "db.json") });
    const before = await start();
    const cursor = cursorOf(await askAt(before.url, first));
    await before.close();
    const after = await start();
    const answer = await askAt(after.url, `${first}${cursor}`);
    await after.close();
    expect([answer.status, codeOf(answer)]).toEqual([400, "CURSOR_INVALID"]);
  });

  test("in a sandbox it goes on there, whatever the base does", async () => {
    const api = await startApi({ data: { things: structuredClone(things) } });
    const inside = { headers: { "X-Standin-Sandbox": "s" } };
    const cursor = cursorOf(await api.ask(first, inside));
    await api.ask("DELETE /things/5", inside);
    expect(idsOf(await api.ask(`${first}${cursor}`, inside))).toEqual([4, 3]);
    expect(idsOf(await api.ask(first))).toEqual([6, 5]);
  });
});
