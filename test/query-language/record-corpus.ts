/**
 * Records how a commit responds to requests of 0.17: `npx tsx test/query-language/record-corpus.ts`.
 *
 * The fixture is frozen: its digests are those of the last commit before the query language, and a change that makes a
 * request of 0.17 respond differently must not be hidden by recording anew. To record on a chosen commit, check that out
 * elsewhere, copy this file, corpus.ts and the fixture to the same places there, and run it there. It keeps the data and
 * the requests of a fixture that exists, and generates both where there is none.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin } from "../../src/index.ts";
import { oddData, randomData, shopData } from "../compat/datasets.ts";
import { EDGE_READS } from "../compat/edge-cases.ts";
import { addressOf, type Question } from "../compat/question.ts";
import { Random } from "../compat/random.ts";
import { ReadGenerator } from "../compat/reads.ts";
import { CORPUS_FILE, type Corpus, digestsOf, parseCorpus } from "./corpus.ts";

const SEED = 17;

/** Fields named like operators and parameters of today. */
const LITERAL: JsonObject = {
  stays: [
    {
      id: 1,
      check_in: "2026-01-01",
      check: 1,
      "x:in": "a",
      x: 1,
      "-price": 2,
      price: 1,
      _or: "u",
      price_gt: 3,
      _where: 1,
    },
    {
      id: 2,
      check_in: "2026-01-02",
      check: 2,
      "x:in": "b",
      x: 2,
      "-price": 1,
      price: 2,
      _or: "w",
      price_gt: 4,
      _where: 2,
    },
    { id: 3, _group: "g", _fields: "id", _after: "", _per_page: 2, name_contains: "Lamp", "price:gt": 5, a_null: true },
  ],
};
const LITERAL_READS = [
  ...["check_in=2026-01-01", "check_in=2026-01-01,2026-01-02", "check_in_ne=2026-01-01", "check_in_like=02$"],
  ...["x:in=a", "x:in=a,b", "x:in=a&x:in=b", "x:in_ne=a", "x:in_like=A", "price_gt=3", "price_gt=1", "price:gt=5"],
  ...named("_or", "u"),
  ...named("_where", "1"),
  ...named("_group", "g"),
  ...named("_fields", "id"),
  ...named("_per_page", "2"),
  ...["_after=", "_after_ne=x", "name_contains=Lamp", "name_contains=amp", "a_null=true", "a_null=false"],
  ...["_sort=-price", "_sort=-price&_order=desc", "_sort=x:in&_order=desc", "_sort=price_gt,-price", "-price=1"],
].map((search) => `GET /stays?${search}`);

function named(name: string, value: string): string[] {
  return [`${name}=${value}`, `${name}=nosuch`, `${name}_ne=${value}`, `${name}=${value}&_page=1&_limit=1`];
}

function generate(): Corpus {
  const random = new Random(SEED);
  const [shop, odd, mixed] = [shopData(30, 12), oddData(), randomData(random)];
  const reads = [
    ...EDGE_READS,
    ...new ReadGenerator(random, shop).take(1400),
    ...new ReadGenerator(random, odd).take(1400),
    ...new ReadGenerator(random, mixed).take(600),
  ].filter(isRepeatable);
  const requests = [...reads.map((asked) => `${asked.method} ${addressOf(asked)}`), ...LITERAL_READS];
  return { data: { ...shop, ...odd, ...mixed, ...LITERAL }, lines: [...new Set(requests)] };
}

/** Neither the page of the server itself nor what counts the time since its start. */
function isRepeatable({ path }: Question): boolean {
  return path !== "/" && !path.startsWith("/health-check") && !path.startsWith("/stats");
}

const known = existsSync(CORPUS_FILE) ? parseCorpus(readFileSync(CORPUS_FILE, "utf8")) : generate();
const requests = known.lines.map((line) => line.split(" ").slice(0, 2).join(" "));
const standin = await createStandin({ data: structuredClone(known.data), foreignKeySuffix: "_id" });
const digests = await digestsOf(standin.port, requests);
await standin.close();
const lines = requests.map((line, at) => `${line} ${digests[at]}`);
const text = `${[JSON.stringify(known.data), ...lines].join("\n")}\n`;
writeFileSync(CORPUS_FILE, text);
console.log(`${lines.length} requests, ${text.length} characters.`);
