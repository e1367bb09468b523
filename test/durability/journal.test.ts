import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import {
  decodeJournal,
  encodeChange,
  encodeLine,
  type JournalLine,
} from "../../src/store/file/journal/journal-format.ts";
import { recover } from "../../src/store/file/journal/recover.ts";
import { singleFile } from "../../src/store/file/layout.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { planChange } from "../../src/store/memory/plan-change.ts";
import { State } from "../../src/store/memory/state.ts";
import type { SingleWrite } from "../../src/store/store.ts";
import { createFolder } from "../support/cli.ts";
import { IS_SOAK } from "../support/soak.ts";
import { crashedFolder, JOURNAL, journalIn, journalText, leaveJournal } from "./journal-file.ts";
import { databaseOf, opened } from "./opened.ts";
import { asFile, contentOf, matching } from "./place.ts";

const BEGIN = {
  a: [
    { id: 1, n: 0 },
    { id: 2, n: 0 },
  ],
  b: [
    { id: 1, a_id: 1 },
    { id: 2, a_id: 2 },
    { id: 3, a_id: 1 },
  ],
  one: { n: 0 },
};

const body = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }).map((value) => {
  const { __proto__, id, ...rest } = value as JsonObject;
  return rest as JsonObject;
});
const id = fc.integer({ min: 1, max: 8 }).map(String);
const collection = fc.constantFrom("a", "b");
const write: fc.Arbitrary<SingleWrite> = fc.oneof(
  fc.record({
    kind: fc.constant("create" as const),
    collection,
    bodies: fc.array(body, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constantFrom("replace" as const, "patch" as const), collection, id, body }),
  fc.record({
    kind: fc.constant("remove" as const),
    collection,
    id,
    dependents: fc.constantFrom([], [{ collection: "b", key: "a_id" }]),
  }),
  fc.record({
    kind: fc.constantFrom("replace-singleton" as const, "patch-singleton" as const),
    name: fc.constant("one"),
    body,
  }),
);
interface Swap {
  readonly kind: "swap";
  readonly records: JsonObject[];
  readonly one: JsonObject;
}
const swap: fc.Arbitrary<Swap> = fc.record({
  kind: fc.constant("swap" as const),
  records: fc.array(body, { maxLength: 3 }),
  one: body,
});

describe("the journal as text", () => {
  test("what is encoded is decoded: any JSON, in any letters", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const lines = values.map((value, index) => ({ v: index + 2, edits: [["+", "a", value]] }));
        const text = journalText({ "db.json": "x" }, lines as unknown as JournalLine[]);
        const journal = decodeJournal(Buffer.from(text));
        expect(journal?.end).toBe("whole");
        expect(journal?.lines).toEqual(JSON.parse(JSON.stringify(lines)));
        expect(journal?.texts.join("")).toBe(text.slice(text.indexOf("\n") + 1));
      }),
    );
  });

  for (const [what, text] of [
    ["nothing", ""],
    ["half a header", journalText({ "db.json": "x" }, []).slice(0, 20)],
    ["an entry without a header", encodeLine('{"v":2,"edits":[]}')],
    ["a header of another kind", encodeLine('{"standin":2,"v":1,"base":{}}')],
    ["a text of somebody else", "hello\nworld\n"],
    ["bytes that are no text", "\u0000\u00ff\u00fe\n"],
  ] as const) {
    test(`${what} is not a journal`, () => {
      expect(decodeJournal(Buffer.from(text, "latin1"))).toBeUndefined();
    });
  }
});

describe("replay", () => {
  test("after any changes gives the state that made them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof({ weight: 9, arbitrary: write }, swap), { maxLength: 25 }), async (writes) => {
        const { lines, database } = await carryOut(writes);
        const folder = crashedFolder(BEGIN, []);
        leaveJournal(folder, journalIn(folder) + lines.join(""));
        const found = await recover(singleFile(join(folder, "db.json")), failOnWarning, "never");
        expect(JSON.stringify(found.database)).toBe(JSON.stringify(database));
        // The same from a data file that holds the first half already, and says so.
        const half = Math.floor(lines.length / 2);
        const middle = await carryOut(writes, half);
        const saved = asFile(middle.database);
        const later = createFolder({ "db.json": saved });
        const note = { v: half + 1, folded: JSON.parse(journalText({ "db.json": saved }, []).slice(9)).base };
        const noteLine = encodeLine(JSON.stringify(note));
        leaveJournal(later, journalText({ "db.json": asFile(BEGIN) }, []) + lines.join("") + noteLine);
        const again = await recover(singleFile(join(later, "db.json")), failOnWarning, "never");
        expect(JSON.stringify(again.database)).toBe(JSON.stringify(database));
      }),
      { numRuns: 60 },
    );
  });

  test("continues with versions above every line, also where a note of an older version is the last one", async () => {
    const before = asFile({ a: [{ id: 1 }] });
    const saved = asFile({ a: [{ id: 1 }, { id: 2 }] });
    const folder = createFolder({ "db.json": saved });
    const lines: JournalLine[] = [2, 3, 4, 5].map((v) => ({ v, edits: [["+", "a", { id: v }]] }));
    const folded = JSON.parse(journalText({ "db.json": saved }, []).slice(9)).base;
    leaveJournal(folder, journalText({ "db.json": before }, [...lines, { v: 2, folded }]));
    const { store } = await opened(folder);
    const all = { a: [1, 2, 3, 4, 5].map((n) => ({ id: n })) };
    expect(await databaseOf(store)).toEqual(all);
    await store.apply({ kind: "create", collection: "a", bodies: [{ id: 6 }] });
    await store.close();
    // A line left behind would be applied a second time.
    expect(contentOf(folder)).toEqual({ "db.json": asFile({ a: [...all.a, { id: 6 }] }) });
  });
});

const ENTRIES: JournalLine[] = [
  { v: 2, edits: [["+", "a", { id: 3, text: "é ☃ 𝄞" }]] },
  { v: 3, edits: [["=", "one", null, { n: 1 }]] },
  { v: 4, edits: [["-", "b", 0]] },
];
/** The database after none, one, two and all of them. */
const STEPS = [0, 1, 2, 3].map((count) => ({
  a: count > 0 ? [...BEGIN.a, { id: 3, text: "é ☃ 𝄞" }] : BEGIN.a,
  b: count > 2 ? BEGIN.b.slice(1) : BEGIN.b,
  one: count > 1 ? { n: 1 } : BEGIN.one,
}));

describe("a journal that is not whole", () => {
  /** `npm run soak` looks at every byte. */
  const STEP = IS_SOAK ? 1 : 13;

  test("cut at any byte of its last line: that entry is dropped and said so, the others are there", async () => {
    const whole = journalIn(crashedFolder(BEGIN, ENTRIES));
    const start = whole.lastIndexOf("\n", whole.length - 2) + 1;
    const lengths = Array.from({ length: whole.length - start }, (_, at) => start + at);
    for (const length of lengths.filter((_, at) => at % STEP === 0 || at < 2 || at > lengths.length - 3)) {
      const folder = crashedFolder(BEGIN, []);
      leaveJournal(folder, whole.subarray(0, length));
      const { store, warnings } = await opened(folder);
      expect(await databaseOf(store)).toEqual(STEPS[2]);
      const isSaid = warnings.some((text) => text.includes("cut off while it was written"));
      expect(isSaid, `at ${length - start}`).toBe(length > start);
      await store.close();
      expect(contentOf(folder)).toEqual({ "db.json": asFile(STEPS[2]) });
    }
  });

  test("with any byte of it changed: what is before that is there, and the journal is kept under a new name", async () => {
    const whole = journalIn(crashedFolder(BEGIN, ENTRIES));
    for (let at = 0; at < whole.length; at += STEP) await expectDamage(whole, at);
    // The end of the last line is where a change looks most like a write that was cut off.
    for (let at = whole.length - 4; at < whole.length; at++) await expectDamage(whole, at);
  });

  async function expectDamage(whole: Buffer, at: number): Promise<void> {
    const damaged = Buffer.from(whole);
    damaged[at] = damaged[at]! ^ 0x04;
    const folder = crashedFolder(BEGIN, []);
    leaveJournal(folder, damaged);
    const { store, warnings } = await opened(folder);
    const before = damaged.subarray(0, at).toString("latin1").split("\n").length - 1;
    expect(await databaseOf(store), `byte ${at}`).toEqual(STEPS[Math.max(0, before - 1)]);
    await store.close();
    const kept = matching(folder, /\.aside$/);
    expect(kept, `byte ${at}`).toHaveLength(1);
    expect(readFileSync(kept[0]!)).toEqual(damaged);
    expect(warnings.join("\n")).toContain(kept[0]);
  }

  test("that is damaged stays the journal until the changes before the damage are saved", async () => {
    const folder = crashedFolder(BEGIN, ENTRIES);
    const text = journalIn(folder);
    text[text.length - 3]! ^= 0x04;
    leaveJournal(folder, text);
    await recover(singleFile(join(folder, "db.json")), () => {}, "now");
    // Here another crash would come.
    const { store } = await opened(folder);
    expect(await databaseOf(store)).toEqual(STEPS[2]);
  });

  test("never has an entry applied in part: a change of several records is one line", async () => {
    const { store } = await opened(createFolder({ "db.json": asFile(BEGIN) }));
    const bodies = Array.from({ length: 50 }, (_, n) => ({ n }));
    await store.apply({ kind: "create", collection: "a", bodies });
    await store.apply({ kind: "remove", collection: "a", id: "1", dependents: [{ collection: "b", key: "a_id" }] });
    const folder = store.place.slice(0, -"/db.json".length);
    const lines = readFileSync(join(folder, JOURNAL), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line.slice(9)).edits?.length)).toEqual([undefined, 50, 3]);
  });
});

/** Carries out writes as the file store does; those that must not happen are passed over. Gives back the journal's lines. */
async function carryOut(writes: readonly (SingleWrite | Swap)[], count = Number.POSITIVE_INFINITY) {
  let state = State.load(structuredClone(BEGIN), "id");
  const lines: string[] = [];
  for (const one of writes) {
    if (lines.length >= count) break;
    if (one.kind === "swap") {
      const database = { b: one.records, a: [{ id: 1 }], one: one.one };
      const { version } = state;
      state = State.load(structuredClone(database), "id");
      state.version = version + 1;
      lines.push(encodeLine(JSON.stringify({ v: state.version, database })));
      continue;
    }
    try {
      const change = planChange(state, one);
      const positions = state.commit(change);
      lines.push(
        encodeLine(encodeChange(change, { positions, isSingleton: (name) => state.singleton(name) !== undefined })),
      );
    } catch {
      // No such record.
    }
  }
  return { lines, database: JSON.parse(JSON.stringify(await databaseOf(new MemoryStore(state)))) as JsonObject };
}

function failOnWarning(text: string): never {
  throw new Error(text);
}
