import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import { CORPUS_FILE, digestsOf, parseCorpus } from "./corpus.ts";

const { data, lines } = parseCorpus(readFileSync(CORPUS_FILE, "utf8"));

/** Every fifth one; npm run soak asks all of them. */
const asked = process.env.STANDIN_SOAK ? lines : lines.filter((_, at) => at % 5 === 0);

test(`${asked.length} requests of 0.17 respond byte for byte as before there was a query language`, async () => {
  expect(lines.length).toBeGreaterThanOrEqual(3000);
  const requests = asked.map((line) => line.split(" ").slice(0, 2).join(" "));
  const standin = await createStandin({ data, foreignKeySuffix: "_id" });
  const digests = await digestsOf(standin.port, requests);
  await standin.close();
  expect(requests.filter((line, at) => `${line} ${digests[at]}` !== asked[at])).toEqual([]);
});
