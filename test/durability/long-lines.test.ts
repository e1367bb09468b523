import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atOnce } from "../../src/base/slices.ts";
import {
  decodeLine,
  encodeChange,
  encodeLargeChange,
  encodeLine,
  encodeSwap,
} from "../../src/store/file/journal/journal-format.ts";
import type { Receipt } from "../../src/store/receipts.ts";
import type { Edit, Exported } from "../../src/store/store.ts";
import { StoredRecord } from "../../src/store/stored-record.ts";

const record = (value: object, slot: number): StoredRecord => new StoredRecord({ ...value }, 1, slot);
const isSingleton = (): boolean => false;

describe("a long line of the journal, which stays in parts", () => {
  test("is the line that a short change has", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), (texts) => {
        const edits = texts.map((text, at): Edit => ({ name: "a", before: undefined, after: record({ text }, at) }));
        const change = { version: 2, edits };
        const parts = atOnce(encodeLargeChange(change, { positionOf: () => 0, isSingleton }));
        expect(parts.join("")).toBe(encodeLine(encodeChange(change, { positions: texts.map(() => 0), isSingleton })));
      }),
    );
  });

  test("has a long response whole, wherever it is cut", () => {
    for (const shift of ["", "x", "xy"]) {
      const json = JSON.stringify([shift, '😀"\\\n'.repeat(40_000)]);
      const response = { status: 200, json, etag: undefined, headers: { Link: ["a", "b"] } };
      const receipt: Receipt = { key: "k", request: "r", at: 1, response };
      const parts = atOnce(encodeLargeChange({ version: 2, edits: [] }, { positionOf: () => 0, isSingleton, receipt }));
      expect(parts.length).toBeGreaterThan(3);
      const line = Buffer.concat(parts.map((part) => Buffer.from(part))).subarray(0, -1);
      expect(decodeLine(line)).toEqual(JSON.parse(JSON.stringify({ v: 2, edits: [], receipt })));
    }
  });

  test("has all members of the data, empty ones among them", () => {
    const members: Exported[] = [
      { kind: "collection", name: "many", records: [record({ id: 1 }, 0), record({ id: 2 }, 1)], version: 1 },
      { kind: "collection", name: "none", records: [], version: 1 },
      { kind: "singleton", name: "one", record: record({ a: 1 }, 0), version: 1 },
      { kind: "aside", name: "$schema", value: "x", version: 0 },
    ];
    const database = { many: [{ id: 1 }, { id: 2 }], none: [], one: { a: 1 }, $schema: "x" };
    expect(atOnce(encodeSwap(7, members)).join("")).toBe(encodeLine(JSON.stringify({ v: 7, database })));
  });
});
