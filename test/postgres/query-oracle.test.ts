import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { askStore } from "../query-language/ask-store.ts";
import { compare, storeSubject } from "../query-language/comparison.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { createStore } from "./database.ts";

/** A question takes a database ten times as long as memory: `npm test` asks some, and npm run soak the others. */
const SOAK_QUESTIONS = 10_000;
const QUESTIONS = Number(process.env.STANDIN_ORACLE_POSTGRES_QUESTIONS ?? 200);
const SEED = Number(process.env.STANDIN_SEED ?? 1);

let opened: Awaited<ReturnType<typeof createStore>>;

beforeAll(async () => {
  opened = await createStore({ indexes: { things: ["price", "name", "place.city"] } });
});

afterAll(() => opened.close());

test(`a naive oracle and PostgreSQL agree over ${QUESTIONS} questions (STANDIN_SEED=${SEED}), in soak over ${SOAK_QUESTIONS}`, async () => {
  const open = async (records: readonly JsonObject[]) => {
    await opened.store.swap({ things: records as JsonObject[] });
    return opened.store;
  };
  const options = { seed: SEED + 2, questions: QUESTIONS, recordsPerRound: 30 };
  expect(await compare(storeSubject(open, askStore), options)).toBe(QUESTIONS);
  tellNumbers(`${QUESTIONS} questions to PostgreSQL and the oracle: no difference.`);
});
