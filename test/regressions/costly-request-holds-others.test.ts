import { beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { answeredMeanwhile } from "../support/answered-meanwhile.ts";
import type { AskOptions } from "../support/api.ts";

const RECORDS = 30_000;
const COMPANIES = 300;
/** The requests that must get their turn while a costly one runs. Held up, they are answered behind it: one or two. */
const ENOUGH = 3;

let api: Standin;
beforeAll(async () => {
  const items = Array.from({ length: RECORDS }, (_, at) => ({
    id: at + 1,
    text: `lorem ipsum ${at} dolor sit amet`,
    n: at % 7,
    uniq: `u${(at * 7919) % RECORDS}`,
    company_id: (at % COMPANIES) + 1,
    place: { name: `p${at % 100}` },
  }));
  const companies = Array.from({ length: COMPANIES }, (_, at) => ({ id: at + 1, name: `c${at}` }));
  api = await createStandin({ data: { items, companies } });
  return () => api.close();
});

const KEYS = ["n", "text", "place", ...Array.from({ length: 17 }, (_, at) => `z${at}`)];
const SUMS = Array.from({ length: 96 }, (_, at) => `sum:f${at}`);
const deletes = Array.from({ length: COMPANIES }, (_, at) => ({
  method: "DELETE",
  path: `/companies/${at + 1}?_dependent=items`,
}));
const DRY = { Prefer: "tx=rollback" };

/** In this order: later ones meet the indexes and sandboxes of earlier ones. */
const REQUESTS: readonly (readonly [name: string, line: string, options?: AskOptions])[] = [
  ["_sort by two keys", "GET /items?_sort=n,text&_limit=5"],
  ["_sort by 20 keys", `GET /items?_sort=${KEYS.join(",")}&_limit=5`],
  ["a filter and _sort", "GET /items?n:gte=1&_sort=text&_limit=5"],
  ["groups and _sort", "GET /items?_group=uniq&_sort=-count&_limit=5"],
  ["96 aggregates", `GET /items?_group=n&_aggregate=${SUMS.join(",")}`],
  ["all records", "GET /items"],
  ["JSONP", "GET /items?callback=show&_sort=text"],
  ["/db", "GET /db"],
  ["_expand", "GET /items?_expand=company"],
  ["PATCH _all", "PATCH /items?_all=true", { body: { x: 1 } }],
  ["PATCH _all in a sandbox", "PATCH /__sandbox/s/items?_all=true", { body: { y: 1 } }],
  ["promote", "POST /__sandboxes/s/promote", { body: {} }],
  ["a batch of deletes with dependents, as a dry run", "POST /__batch", { body: { requests: deletes }, headers: DRY }],
  ["a batch of deletes with dependents", "POST /__batch", { body: { requests: deletes.slice(1) } }],
];

describe("others are served beside", () => {
  for (const [name, line, options] of REQUESTS) {
    test(name, async () => {
      let most = 0;
      // A busy machine may give others few turns once; held up, they never get enough.
      for (let tries = line.startsWith("GET") ? 10 : 1; tries > 0 && most < ENOUGH; tries--) {
        const { answer, meanwhile } = await answeredMeanwhile(api.url, line, options);
        expect(answer.status).toBe(200);
        most = Math.max(most, meanwhile);
      }
      expect(most).toBeGreaterThanOrEqual(ENOUGH);
    });
  }
});
