import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { askStore } from "../query-language/ask-store.ts";
import { compare, storeSubject } from "../query-language/comparison.ts";
import { limit } from "../support/limits.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { createStore } from "./database.ts";

/** Memory is asked 1,500 of the same kind, without a database in between. npm run soak asks for more. */
const QUESTIONS = Number(process.env.STANDIN_ORACLE_POSTGRES_QUESTIONS ?? 200);
const SEED = Number(process.env.STANDIN_SEED ?? 1);

/** A collection, a write and a page each take a database longer than a tree: npm run soak has more of them. */
const MIXTURE = process.env.STANDIN_SOAK
  ? { recordsPerRound: 30 }
  : { recordsPerRound: 10, questionsPerRound: 250, writes: 0.03, pagesOfWalks: [1, 2], bareTrees: 0.8 };

let opened: Awaited<ReturnType<typeof createStore>>;

beforeAll(async () => {
  opened = await createStore({ poolSize: 8, indexes: { things: ["price", "name", "place.city"] } });
});

afterAll(() => opened.close());

test(
  `a naive oracle and PostgreSQL agree over ${QUESTIONS} questions (STANDIN_SEED=${SEED})`,
  async () => {
    const open = async (records: readonly JsonObject[]) => {
      await opened.store.swap({ things: records as JsonObject[] });
      return opened.store;
    };
    const options = { seed: SEED + 2, questions: QUESTIONS, ...MIXTURE, isConcurrent: true };
    expect(await compare(storeSubject(open, askStore), options)).toBe(QUESTIONS);
    tellNumbers(`${QUESTIONS} questions to PostgreSQL and the oracle: no difference.`);
  },
  limit(300_000),
);
