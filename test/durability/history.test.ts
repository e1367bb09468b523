import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HistoryFile } from "../../src/store/file/history/history-file.ts";
import { encodeLine, type JournalLine } from "../../src/store/file/journal/journal-format.ts";
import type { HistoryLimits } from "../../src/store/history.ts";
import type { Store } from "../../src/store/store.ts";
import { createFolder } from "../support/cli.ts";
import { testAtLength } from "../support/soak.ts";
import { hookBefore } from "./hooks.ts";
import { hashOf, JOURNAL, journalText, leaveJournal } from "./journal-file.ts";
import { databaseOf, opened } from "./opened.ts";
import { asFile, eventually, filesIn, imageOf, matching, untilSaved } from "./place.ts";

const limits: HistoryLimits = { count: 1000, maxBytes: 8 * 2 ** 20 };
const HISTORY = ".standin/db.json.history";

function shop(): string {
  return createFolder({ "db.json": asFile({ products: [1, 2, 3].map((id) => ({ id, name: `P${id}` })) }) });
}

const patch = (id: string, name: string) => ({ kind: "patch", collection: "products", id, body: { name } }) as const;

async function versionsOf(store: Store): Promise<number[]> {
  const page = await store.history?.list({ limit: 1000 });
  return page?.versions.map(({ version }) => version) ?? [];
}

async function nameAt(store: Store, version: number): Promise<unknown> {
  const record = await (await store.history?.at(version))?.get("products", "1");
  return (record?.value as { name?: unknown } | undefined)?.name;
}

describe("a history outlives the process", () => {
  test("with times, origins and records, and versions go on counting", async () => {
    const folder = shop();
    let { store } = await opened(folder, { history: limits });
    const first = await store.apply(patch("1", "A"), { by: "ann" });
    await store.close();
    ({ store } = await opened(folder, { history: limits }));
    const second = await store.apply(patch("1", "B"), { by: "bob" });
    expect(second.version).toBeGreaterThan(first.version);
    expect(await versionsOf(store)).toEqual([second.version, first.version]);
    expect(await nameAt(store, first.version)).toBe("A");
    expect(await nameAt(store, first.version - 1)).toBe("P1");
    const found = await store.history?.find(first.version);
    expect(found).toMatchObject({ by: "ann", kind: "change" });
    expect(found?.edits.map(({ before, after }) => [before?.value, after?.value])).toEqual([
      [
        { id: 1, name: "P1" },
        { id: 1, name: "A" },
      ],
    ]);
  });

  test("and a crash before, in and after a save", async () => {
    const folder = shop();
    const { store } = await opened(folder, { history: limits });
    const { version } = await store.apply(patch("1", "A"));
    const unsaved = imageOf(folder);
    await store.close();
    // The lines are in the history, but the journal still has them.
    const between = imageOf(folder);
    const note: JournalLine = { v: version, folded: { "db.json": hashOf(readFileSync(join(folder, "db.json"))) } };
    leaveJournal(between, readFileSync(join(unsaved, JOURNAL)) + encodeLine(JSON.stringify(note)));
    for (const image of [unsaved, between, folder]) {
      let { store: again, warnings } = await opened(image, { history: limits });
      expect(await versionsOf(again)).toEqual([version]);
      expect([await nameAt(again, version), await nameAt(again, version - 1)]).toEqual(["A", "P1"]);
      await again.apply(patch("2", "more"));
      await again.close();
      ({ store: again, warnings } = await opened(image, { history: limits }));
      expect((await versionsOf(again)).at(-1)).toBe(version);
      expect(await versionsOf(again)).toHaveLength(2);
      expect(warnings).toEqual([]);
      await again.close();
    }
    const torn = imageOf(folder);
    const known = await (async () => {
      const { store: one } = await opened(torn, { history: limits });
      const versions = await versionsOf(one);
      await one.close();
      return versions;
    })();
    appendFileSync(join(torn, HISTORY), '12345678 {"v":99,"t":1,"by"');
    const { store: cut, warnings } = await opened(torn, { history: limits });
    expect(await versionsOf(cut)).toEqual(known);
    expect(warnings).toEqual([]);
    const next = await cut.apply(patch("1", "B"));
    await cut.close();
    const { store: after } = await opened(torn, { history: limits });
    expect(await versionsOf(after)).toEqual([next.version, ...known]);
    expect(await nameAt(after, version)).toBe("A");
  });

  test("and a crash right after collections and records were changed as one version", async () => {
    const folder = shop();
    const { store } = await opened(folder, { history: limits });
    const first = await store.apply(patch("1", "A"));
    await store.alter({ kind: "created", name: "drafts", type: "collection" });
    await store.rearrange?.(
      {
        created: [{ name: "reviews", kind: "collection" }],
        removed: () => ["drafts"],
        write: {
          kind: "transaction",
          members: ["products"],
          *run(data) {
            yield* data.apply(patch("1", "B"));
            yield* data.apply({ kind: "create", collection: "reviews", bodies: [{ text: "Good" }] });
          },
        },
      },
      { by: "promote:ann" },
    );
    const versions = await versionsOf(store);
    const [rearranged = 0] = versions;
    const last = await store.apply(patch("1", "C"));
    const image = imageOf(folder);
    await store.close();
    for (const place of [image, folder]) {
      const { store: again, warnings } = await opened(place, { history: limits });
      expect(await versionsOf(again)).toEqual([last.version, ...versions]);
      expect(versions).toHaveLength(3);
      expect(await nameAt(again, rearranged)).toBe("B");
      expect(await nameAt(again, rearranged - 1)).toBe("A");
      expect(await nameAt(again, first.version - 1)).toBe("P1");
      expect((await databaseOf(again)).reviews).toEqual([{ id: 1, text: "Good" }]);
      expect(again.kindOf("drafts")).toBeUndefined();
      expect(warnings.filter((text) => !text.startsWith("Recovered from the journal: 4 changes"))).toEqual([]);
      await again.close();
    }
  });

  test("but an edit of the file in the meantime ends the way back, and says why", async () => {
    const folder = shop();
    let { store } = await opened(folder, { history: limits });
    const { version } = await store.apply(patch("1", "A"));
    await store.close();
    writeFileSync(join(folder, "db.json"), asFile({ products: [{ id: 1, name: "edited" }] }));
    ({ store } = await opened(folder, { history: limits }));
    const [file = 0, ...others] = await versionsOf(store);
    expect(others).toEqual([version]);
    expect((await store.history?.list({ limit: 1 }))?.versions[0]).toMatchObject({
      by: "file",
      kind: "exchange",
      isKept: false,
    });
    expect(await nameAt(store, file)).toBe("edited");
    await expect(nameAt(store, version)).rejects.toMatchObject({
      code: "HISTORY_GONE",
      message: expect.stringContaining("not running"),
    });
    expect((await store.history?.find(version))?.edits).toHaveLength(1);
    const next = await store.apply(patch("1", "B"));
    await store.close();
    ({ store } = await opened(folder, { history: limits }));
    expect(await versionsOf(store)).toEqual([next.version, file, version]);
    expect(await nameAt(store, file)).toBe("edited");
  });

  test("changes that lose to an edit after a crash stay versions, and their numbers are not used again", async () => {
    const folder = shop();
    const { store } = await opened(folder, { history: limits });
    const first = await store.apply(patch("1", "A"), { by: "ann" });
    const second = await store.apply(patch("3", "C"), { by: "ann" });
    const image = imageOf(folder);
    await store.close();
    const journal = readFileSync(join(image, JOURNAL), "utf8");
    writeFileSync(join(image, "db.json"), asFile({ products: [{ id: 1, name: "edited" }] }));
    const lost = [second.version, first.version];
    // A crash before the journal is set aside repeats that, and adds no version.
    for (const isRepeated of [false, true]) {
      if (isRepeated) leaveJournal(image, journal);
      const { store: again, warnings } = await opened(image, { history: limits });
      expect(warnings.join()).toMatch(/journal of unsaved changes was found.*aside/);
      expect(matching(image, /journal.*aside$/)).toHaveLength(isRepeated ? 2 : 1);
      expect(await versionsOf(again)).toEqual([second.version + 1, ...lost]);
      expect((await again.history?.find(first.version))?.by).toBe("ann");
      expect(await nameAt(again, second.version + 1)).toBe("edited");
      await expect(nameAt(again, second.version)).rejects.toMatchObject({ code: "HISTORY_GONE" });
      await again.close();
    }
    const { store: last } = await opened(image, { history: limits });
    const next = await last.apply(patch("1", "B"));
    expect(await versionsOf(last)).toEqual([next.version, second.version + 1, ...lost]);
  });

  test("and changes that lose to an edit while it runs, wherever a crash ends the load of that", async () => {
    const folder = shop();
    const { store } = await opened(folder, { history: limits });
    const first = await store.apply(patch("1", "A"), { by: "ann" });
    const second = await store.apply(patch("3", "C"), { by: "ann" });
    writeFileSync(join(folder, "db.json"), asFile({ products: [{ id: 1, name: "edited" }] }));
    const images: string[] = [];
    const takeImage = (): boolean => {
      images.push(imageOf(folder));
      return false;
    };
    const isOwn = (path: string): boolean => path.includes(".standin") && path.startsWith(folder);
    hookBefore("openSync", (path) => isOwn(path) && takeImage());
    hookBefore("renameSync", (from) => isOwn(from) && takeImage());
    expect(await store.reload()).toBe(true);
    expect(images.length).toBeGreaterThan(1);
    for (const image of images) {
      const { store: again } = await opened(image, { history: limits });
      const [file, ...lost] = await versionsOf(again);
      expect([file, lost]).toEqual([second.version + 1, [second.version, first.version]]);
      expect((await again.history?.find(first.version))?.by).toBe("ann");
      expect(await nameAt(again, second.version + 1)).toBe("edited");
      await again.close();
    }
  });

  test("an edit while it runs is a version with its differences", async () => {
    const folder = shop();
    let { store } = await opened(folder, { history: limits });
    await store.apply(patch("2", "B"));
    await store.close();
    ({ store } = await opened(folder, { history: limits }));
    const before = await databaseOf(store);
    writeFileSync(join(folder, "db.json"), asFile({ products: [{ id: 1, name: "edited" }, { id: 9 }] }));
    expect(await store.reload()).toBe(true);
    const check = async () => {
      const [head] = (await store.history?.list({ limit: 1 }))?.versions ?? [];
      expect(head).toMatchObject({
        by: "file",
        kind: "exchange",
        counts: { products: { created: 1, updated: 1, removed: 2 } },
        isKept: true,
      });
      const moment = await store.history?.at((head?.version ?? 0) - 1);
      expect(moment && (await databaseOf(moment))).toEqual(before);
    };
    await check();
    await store.close();
    ({ store } = await opened(folder, { history: limits }));
    await check();
  });

  test("damage is set aside and reported; what follows it stays", async () => {
    const folder = shop();
    let { store } = await opened(folder, { history: limits });
    const first = await store.apply(patch("1", "A"));
    await store.close();
    ({ store } = await opened(folder, { history: limits }));
    const second = await store.apply(patch("1", "B"));
    await store.close();
    const path = join(folder, HISTORY);
    const text = readFileSync(path, "utf8");
    const { length } = text.slice(0, text.indexOf('"edits"'));
    writeFileSync(path, `${text.slice(0, length)}!${text.slice(length + 1)}`);
    let { store: again, warnings } = await opened(folder, { history: limits });
    expect(warnings.join()).toMatch(/history is damaged.*kept as .*\.aside/);
    expect(matching(folder, /history.*aside$/)).toHaveLength(1);
    expect(await versionsOf(again)).toEqual([second.version]);
    expect(await nameAt(again, second.version - 1)).toBe("A");
    await expect(nameAt(again, first.version - 1)).rejects.toMatchObject({ code: "HISTORY_GONE" });
    await again.close();
    ({ store: again, warnings } = await opened(folder, { history: limits }));
    expect(warnings).toEqual([]);
    expect(await versionsOf(again)).toEqual([second.version]);
  });

  testAtLength("the file is written anew before it grows without end", async () => {
    const folder = shop();
    const few: HistoryLimits = { count: 5, maxBytes: 20_000 };
    let { store } = await opened(folder, { history: few });
    for (let round = 0; round < 12; round++) {
      for (let at = 0; at < 6; at++) await store.apply(patch("1", `${round}.${at}`.repeat(300)));
      await store.close();
      ({ store } = await opened(folder, { history: few }));
    }
    expect(statSync(join(folder, HISTORY)).size).toBeLessThan(80_000);
    expect(await versionsOf(store)).toHaveLength(5);
    expect(await nameAt(store, store.history?.oldest ?? 0)).toMatch(/^11\.0/);
  });

  test("a save with more changes than are kept leaves those before them out, also where a crash ends that save", async () => {
    const folder = shop();
    const few: HistoryLimits = { count: 5, maxBytes: 2 ** 20 };
    let { store } = await opened(folder, { history: few });
    await store.apply(patch("1", "first"));
    await store.close();
    ({ store } = await opened(folder, { history: few }));
    for (let at = 0; at < 20; at++) await store.apply(patch("1", `later ${at}`));
    const versions = await versionsOf(store);
    const unsaved = imageOf(folder);
    await store.close();
    const between = imageOf(folder);
    const note: JournalLine = {
      v: versions[0] ?? 0,
      folded: { "db.json": hashOf(readFileSync(join(folder, "db.json"))) },
    };
    leaveJournal(between, readFileSync(join(unsaved, JOURNAL)) + encodeLine(JSON.stringify(note)));
    const text = readFileSync(join(folder, HISTORY), "utf8");
    const [before = "", ...parts] = text.split('"isFloor":true}');
    expect(parts.map((part) => part.match(/"edits"/g)?.length)).toEqual([5]);
    expect(statSync(join(folder, HISTORY)).mode & 0o777).toBe(0o600);
    const cutOff = imageOf(between);
    writeFileSync(join(cutOff, HISTORY), text.slice(0, before.length + 400));
    for (const image of [unsaved, between, cutOff, folder]) {
      const { store: again, warnings } = await opened(image, { history: few });
      expect(await versionsOf(again)).toEqual(versions);
      expect(await nameAt(again, again.history?.oldest ?? 0)).toBe("later 14");
      const next = await again.apply(patch("1", "last"));
      expect(next.version).toBeGreaterThan(versions[0] ?? 0);
      await again.close();
      const { store: after } = await opened(image, { history: few });
      expect(await versionsOf(after)).toEqual([next.version, ...versions.slice(0, 4)]);
      expect(await nameAt(after, after.history?.oldest ?? 0)).toBe("later 15");
      expect(warnings.filter((warning) => !warning.startsWith("Recovered"))).toEqual([]);
    }
  });

  test("changes that come during a save may drop all that it saves", async () => {
    const folder = shop();
    const file = new HistoryFile(join(folder, "db.json"), 2 ** 20);
    const line = (v: number) => ({ version: v, past: encodeLine(`{"v":${v},"t":${v},"by":"ann","edits":[]}`) });
    const fold = (v: number) => ({ v, t: v, files: {} });
    await file.append({ texts: [line(2), line(3)], fold: fold(3) }, fold(1));
    await file.append({ texts: [], fold: fold(9) }, fold(12));
    const read = () => new HistoryFile(join(folder, "db.json"), 2 ** 20).read(expect.fail, true);
    expect(read()).toMatchObject({ lines: [], floor: fold(9), last: fold(9), isDamaged: false });
    await file.append({ texts: [13, 14, 15].map(line), fold: fold(15) }, fold(12));
    expect(read()).toMatchObject({ floor: fold(12), last: fold(15) });
    expect(read().lines.map(({ line: { v } }) => v)).toEqual([13, 14, 15]);
    await file.append({ texts: [line(16)], fold: fold(16) }, fold(14));
    expect(read().lines.map(({ line: { v } }) => v)).toEqual([13, 14, 15, 16]);
  });

  test("a burst of many saves does not let the file grow without end", async () => {
    const folder = shop();
    const file = new HistoryFile(join(folder, "db.json"), 2 ** 20);
    const fold = (v: number) => ({ v, t: v, files: {} });
    const long = "x".repeat(2 ** 18);
    let largest = 0;
    for (let v = 1; v < 60; v += 3) {
      const past = encodeLine(`{"v":${v + 1},"t":1,"by":"${long}","edits":[]}`);
      await file.append({ texts: [{ version: v + 1, past }], fold: fold(v + 1) }, fold(v));
      largest = Math.max(largest, statSync(join(folder, HISTORY)).size);
    }
    expect(largest).toBeLessThan(2.5 * 2 ** 20);
    const read = new HistoryFile(join(folder, "db.json"), 2 ** 20).read(expect.fail, true);
    expect(read.lines.map(({ line: { v } }) => v)).toEqual([59]);
    expect(read).toMatchObject({ floor: { v: 58 }, last: { v: 59 } });
  });

  testAtLength("but seldom, where all of it is wanted", async () => {
    const folder = shop();
    const { store } = await opened(folder, { history: { count: 1000, maxBytes: 1000, maxNewestBytes: 2 ** 20 } });
    const files = new Set<number>();
    for (let round = 0; round < 20; round++) {
      await store.apply(patch("1", `${round} `.repeat(500)));
      await untilSaved(folder, (data) => JSON.stringify(data).includes(`"${round} `));
      await eventually(() => !existsSync(join(folder, JOURNAL)));
      files.add(statSync(join(folder, HISTORY)).ino);
    }
    await store.close();
    // The newest ten are kept: each rotation leaves more than the limit.
    expect(files.size).toBeGreaterThan(1);
    expect(files.size).toBeLessThan(8);
  });

  test("clearing it leaves nothing of the past on the disk, and never uses a version twice", async () => {
    const folder = shop();
    let { store } = await opened(folder, { history: limits });
    const { version } = await store.apply(patch("1", "secret"));
    await store.apply(patch("1", "open"));
    await store.history?.clear();
    expect(readFileSync(join(folder, HISTORY), "utf8")).not.toContain("secret");
    await store.close();
    ({ store } = await opened(folder, { history: limits }));
    expect(await versionsOf(store)).toEqual([]);
    expect((await store.apply(patch("1", "next"))).version).toBeGreaterThan(version + 1);
    expect(await nameAt(store, store.history?.oldest ?? 0)).toBe("open");
  });

  test("a journal of an older process is recovered, without a way back behind it", async () => {
    const folder = shop();
    const text = readFileSync(join(folder, "db.json"), "utf8");
    leaveJournal(
      folder,
      journalText({ "db.json": text }, [{ v: 2, edits: [["=", "products", 0, { id: 1, name: "old" }]] }]),
    );
    const { store } = await opened(folder, { history: limits });
    const [version = 0] = await versionsOf(store);
    expect(version).toBe(2);
    expect(await nameAt(store, version)).toBe("old");
    await expect(nameAt(store, version - 1)).rejects.toMatchObject({ code: "HISTORY_GONE" });
    await store.close();
    expect(await versionsOf((await opened(folder, { history: limits })).store)).toEqual([version]);
  });

  test("responses of requests are in no line of it", async () => {
    const folder = shop();
    const { store } = await opened(folder, { history: limits });
    const respond = () => ({ status: 200, headers: {}, json: '{"secret":1}' });
    await store.apply(patch("1", "A"), { receipt: { key: "k", request: "r", at: Date.now(), respond } as never });
    await store.close();
    expect(readFileSync(join(folder, HISTORY), "utf8")).not.toContain("secret");
  });

  test("without history, and with --memory, no file is written", async () => {
    const folder = shop();
    const { store } = await opened(folder);
    await store.apply(patch("1", "A"));
    await store.close();
    expect(filesIn(folder)).toEqual(["db.json"]);
    const { store: copy } = await opened(folder, { memory: true, history: limits });
    await copy.apply(patch("1", "B"));
    expect(await versionsOf(copy)).toHaveLength(1);
    await copy.close();
    expect(existsSync(join(folder, HISTORY))).toBe(false);
  });
});
