import { afterAll, beforeAll, expect, test } from "vitest";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../../src/base/json/json.ts";
import { IdKeys } from "../../../src/store/id-keys.ts";
import { MemoryStore } from "../../../src/store/memory/memory-store.ts";
import { State } from "../../../src/store/memory/state.ts";
import type { Store } from "../../../src/store/store.ts";
import { Random } from "../../compat/random.ts";
import { askStore } from "../../query-language/ask-store.ts";
import { Generator } from "../../query-language/generate.ts";
import { isHeld } from "../../query-language/oracle.ts";
import { type Pair, Speller, toSearch } from "../../query-language/spelling.ts";
import { limit } from "../../support/limits.ts";
import { IS_SOAK } from "../../support/soak.ts";
import { tellNumbers } from "../../support/tell-numbers.ts";
import { openSchema } from "./served-tables.ts";

const QUESTIONS = IS_SOAK ? 6000 : 100;
const PER_ROUND = 100;
const SEED = Number(process.env.STANDIN_SEED ?? 1);

/** A type for each field of the generated records, and how their values become ones of it. */
const COLUMNS: Readonly<Record<string, readonly [type: string, cast: (value: Json) => Json]>> = {
  id: ["int PRIMARY KEY", (value) => Number(String(value).replace("t", ""))],
  name: ["text", asText],
  price: ["float8", asNumber],
  tags: ["text[]", (value) => (Array.isArray(value) ? value.map(asText) : null)],
  place: ["json", (value) => value],
  check: ["numeric", asNumber],
  x: ["boolean", (value) => value === true || Number(value) > 2],
  a: ["json", (value) => value],
  any: ["json", (value) => value],
  check_in: ["bigint", (value) => Math.trunc(Number(asNumber(value))) % 1e15],
  "x:in": ["varchar", asText],
  "-price": ["real", asNumber],
  "a.b": ["text", asText],
  _or: ["date", (value) => (Number(asNumber(value)) > 2 ? "2026-01-05" : "2026-01-06")],
  x_gt: ["timestamptz", (value) => (Number(asNumber(value)) > 2 ? "2026-01-05" : "2026-01-05T00:00:00.5Z")],
  price_null: [
    "uuid",
    (value) => `00000000-0000-4000-8000-00000000000${Math.abs(Math.trunc(Number(asNumber(value)))) % 10}`,
  ],
  _group: ["smallint", (value) => Math.trunc(Number(asNumber(value))) % 1000],
};

function asText(value: Json): Json {
  return typeof value === "string" ? value : null;
}

function asNumber(value: Json): Json {
  return typeof value === "number" ? value : null;
}

let tables: Awaited<ReturnType<typeof openSchema>>;

beforeAll(async () => {
  const columns = Object.entries(COLUMNS).map(([name, [type]]) => `"${name}" ${type}`);
  tables = await openSchema(`CREATE TABLE things (${columns.join(", ")})`);
});

afterAll(() => tables.close());

async function fill(records: readonly JsonObject[]): Promise<JsonObject[]> {
  const rows = records.map((record) =>
    Object.fromEntries(
      Object.entries(COLUMNS).map(([name, [, cast]]) => [name, name in record ? cast(record[name] ?? null) : null]),
    ),
  );
  const text = stringifyJson(rows).replaceAll("'", "''");
  await tables.run(
    `TRUNCATE things; INSERT INTO things SELECT * FROM json_populate_recordset(NULL::things, '${text}')`,
  );
  const [exported] = await tables.store.export();
  return exported?.kind === "collection" ? exported.records.map(({ value }) => value).filter(isJsonObject) : [];
}

/** Texts beyond the basic plane sort by code point here, so none is compared with the few characters in between. */
const isComparable = (value: unknown): boolean => !JSON.stringify(value).includes("\uffff");

async function outcomeOf(store: Store, pairs: readonly Pair[], isWalk: boolean): Promise<string> {
  const outcome = await askStore(store, pairs, isWalk).catch((thrown: unknown) => String(thrown));
  return typeof outcome === "string" ? outcome : stringifyJson(outcome as unknown as Json);
}

test(
  `tables and memory agree over ${QUESTIONS} questions (STANDIN_SEED=${SEED})`,
  async () => {
    const random = new Random(SEED);
    const generator = new Generator(random);
    let asked = 0;
    for (; asked < QUESTIONS; asked += PER_ROUND) {
      const records = await fill(generator.records(25).filter(isComparable));
      const memory = new MemoryStore(State.load({ things: records }, IdKeys.from({ idKey: "id" })));
      for (let at = 0; at < PER_ROUND; at++) {
        const question = generator.question(records);
        const pairs = new Speller(random, (path) => isHeld(records, path)).spell(question);
        if (!pairs || !isComparable(pairs)) continue;
        const isWalk = question.part?.kind === "walk";
        const [given, wanted] = [await outcomeOf(tables.store, pairs, isWalk), await outcomeOf(memory, pairs, isWalk)];
        expect(given, toSearch(pairs)).toBe(wanted);
      }
    }
    tellNumbers(`${asked} questions to tables and to memory: no difference.`);
  },
  limit(600_000),
);
