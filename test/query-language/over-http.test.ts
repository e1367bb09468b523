import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { State } from "../../src/store/memory/state.ts";
import { askAt } from "../support/api.ts";
import { type ServedStore, serveStore } from "../support/serve-store.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { serverSubject } from "./ask-server.ts";
import { compare } from "./comparison.ts";

/** npm run soak asks for more. */
const QUESTIONS = Number(process.env.STANDIN_ORACLE_HTTP_QUESTIONS ?? 100);
const SEED = Number(process.env.STANDIN_SEED ?? 1);

const store = new MemoryStore(State.load({ things: [] }, "id", { minIndexed: 1 }));
let server: ServedStore;

beforeAll(async () => {
  server = await serveStore(store);
});
afterAll(() => server.close());

describe(`a naive oracle and a server agree (STANDIN_SEED=${SEED})`, () => {
  for (const [title, sandbox] of [
    ["by GET and QUERY", undefined],
    ["in a sandbox after writes to it", "oracle"],
  ] as const) {
    test(`over ${QUESTIONS} questions ${title}`, async () => {
      const load = async (records: readonly JsonObject[]): Promise<void> => {
        await store.swap({ things: records as JsonObject[] });
        if (sandbox === undefined) return;
        await askAt(server.url, `DELETE /__sandboxes/${sandbox}`);
        const made = await askAt(server.url, "POST /__sandboxes", { body: { name: sandbox, from: "current" } });
        expect(made.status).toBe(201);
      };
      const subject = serverSubject(server.url, load, sandbox);
      const options = { seed: SEED + 1, questions: QUESTIONS, recordsPerRound: 30, questionsPerRound: 50 };
      expect(await compare(subject, options)).toBe(QUESTIONS);
      subject.close();
      tellNumbers(`${QUESTIONS} questions ${title} to a server and the oracle: no difference.`);
    });
  }
});
