import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { askStore } from "./ask-store.ts";
import { compare, storeSubject } from "./comparison.ts";

/** npm run soak asks for more. */
const QUESTIONS = Number(process.env.STANDIN_ORACLE_QUESTIONS ?? 800);
const SEED = Number(process.env.STANDIN_SEED ?? 1);

describe(`a naive oracle and memory agree (STANDIN_SEED=${SEED})`, () => {
  const kinds: [title: string, share: number, recordsPerRound: number, minIndexed: number | undefined][] = [
    ["small collections, by scan", 0.3, 25, Number.POSITIVE_INFINITY],
    ["small collections, by index", 0.68, 25, 1],
    ["collections around the number of records from which on there are indexes", 0.01, 20, undefined],
    ["collections around the number of records from which on there are indexes of texts", 0.01, 1000, undefined],
  ];
  for (const [title, share, recordsPerRound, minIndexed] of kinds) {
    const questions = Math.ceil(QUESTIONS * share);
    test(`over ${questions} questions of ${title}`, async () => {
      const open = async (records: readonly JsonObject[]) =>
        new MemoryStore(State.load({ things: records as JsonObject[] }, "id", { minIndexed }));
      const asked = await compare(storeSubject(open, askStore), { seed: SEED, questions, recordsPerRound });
      expect(asked).toBe(questions);
      tellNumbers(`${asked} questions of ${title} to memory and the oracle: no difference.`);
    });
  }
});
