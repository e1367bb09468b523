import { expect, test } from "vitest";
import { MAX_AT_ONCE, STEP } from "../../src/base/slices.ts";
import { joinTexts } from "../../src/http/routes/join-texts.ts";
import { groupRows } from "../../src/query/group-rows.ts";
import { parseGrouping } from "../../src/query/grouping.ts";

test("the texts of many records are made in several turns of the event loop", async () => {
  const elements = Array.from({ length: MAX_AT_ONCE + 1 }, (_, at) => at);
  const turns = new Set<number>();
  let turn = 0;
  const count = (): void => {
    turn++;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);
  const text = await joinTexts(elements, (element) => {
    turns.add(turn);
    const end = performance.now() + 0.01;
    while (performance.now() < end);
    return String(element);
  });
  clearImmediate(waiting);
  expect(text).toBe(elements.join(","));
  expect(turns.size).toBeGreaterThan(1);
});

test("the rows of many groups can be made in several turns, too", () => {
  const records = Array.from({ length: 4 * STEP }, (_, id) => ({ value: { id, kind: 1 } }));
  const pausesBy = (field: string): number => {
    const work = groupRows(records, parseGrouping({ group: [field], aggregate: [], having: [] })!);
    let pauses = 0;
    while (!work.next().done) pauses++;
    return pauses;
  };
  expect(pausesBy("id")).toBeGreaterThanOrEqual(pausesBy("kind") + 4);
});
