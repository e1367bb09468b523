import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { parseParameters, parseQuery } from "../../src/query/parse-query.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import type { Store } from "../../src/store/store.ts";
import { body, query, write } from "../store/arbitrary.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { createStore } from "./database.ts";
import { oddBody, oddQuery } from "./odd-arbitrary.ts";

/** Queries of each kind of data; npm run soak asks for more. */
const QUERIES = Number(process.env.STANDIN_POSTGRES_QUERIES ?? 60);
const QUERIES_PER_ROUND = 100;
const SEED = Number(process.env.STANDIN_SEED ?? 1);

let opened: Awaited<ReturnType<typeof createStore>>;

beforeAll(async () => {
  opened = await createStore({ indexes: { things: ["a", "b.y"] } });
});

afterAll(() => opened.close());

describe(`PostgreSQL and memory agree (STANDIN_SEED=${SEED})`, () => {
  const kinds: [title: string, body: fc.Arbitrary<JsonObject>, query: fc.Arbitrary<string>][] = [
    ["mixed data", body, query],
    ["texts and numbers at the edge", oddBody, oddQuery],
  ];
  for (const [title, bodies, queries] of kinds) {
    test(`over ${QUERIES} queries of ${title} that change in between`, async () => {
      const round = fc.array(fc.tuple(fc.option(write, { freq: 3 }), queries), {
        minLength: QUERIES_PER_ROUND,
        maxLength: QUERIES_PER_ROUND,
      });
      const start = fc.array(bodies, { minLength: 10, maxLength: 40 });
      // By sample, not by property: a failure of a hundred steps is told better by its one step.
      const rounds = fc.sample(fc.tuple(start, round), { numRuns: Math.ceil(QUERIES / QUERIES_PER_ROUND), seed: SEED });
      for (const [first, steps] of rounds) {
        const things = first.map((one, position) => ({ ...one, id: position + 1 }));
        const memory = new MemoryStore(State.load({ things: structuredClone(things) }, "id"));
        await opened.store.swap({ things });
        for (const [change, asked] of steps) {
          if (change) expect(await outcomeOf(opened.store, change)).toBe(await outcomeOf(memory, change));
          expect(await answerOf(opened.store, asked), asked).toBe(await answerOf(memory, asked));
        }
      }
      tellNumbers(`${rounds.length * QUERIES_PER_ROUND} queries of ${title} to PostgreSQL and memory: no difference.`);
    });
  }
});

async function answerOf(store: Store, asked: string): Promise<string> {
  try {
    const { records, total } = await store.find("things", parseQuery(parseParameters(asked)));
    return JSON.stringify([total, records.map((record) => record.text)]);
  } catch (thrown) {
    return String(thrown);
  }
}

async function outcomeOf(store: Store, change: Parameters<Store["apply"]>[0]): Promise<string> {
  try {
    const { edits } = await store.apply(change);
    return JSON.stringify(edits.map(({ before, after }) => [before?.value, after?.value]));
  } catch (thrown) {
    return String(thrown);
  }
}
