import { beforeAll, describe, expect, test } from "vitest";
import { type AskOptions, askAt } from "../support/api.ts";
import { limit } from "../support/limits.ts";
import { type MeteredServer, startMetered } from "../support/metered-server.ts";
import { testAtLength } from "../support/soak.ts";

const RECORDS = 30_000;
const COMPANIES = 300;
/** The share of its work that a request may do in one turn of the loop. In one piece, nearly all of it is in one turn. */
const MAX_SHARE = 0.4;
/** Of a request that takes a few slices in all, one may be a large share; a turn of three slices holds no one up. */
const SHORT_MS = 15;
const TRIES = 10;

let server: MeteredServer;
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
  const many = Array.from({ length: 100 }, (_, at) => [`many${at}`, [{ id: 1, name: "x", place: { city: "y" } }]]);
  server = await startMetered({ items, companies, ...Object.fromEntries(many) });
}, limit(120_000));

const KEYS = ["n", "text", "place", ...Array.from({ length: 17 }, (_, at) => `z${at}`)];
const SUMS = Array.from({ length: 96 }, (_, at) => `sum:f${at}`);
const PATTERNS = Array.from({ length: 100 }, (_, at) => `_or=text:like=(a|b|c){0,30}x${at}`);
const deletes = Array.from({ length: COMPANIES }, (_, at) => ({
  method: "DELETE",
  path: `/companies/${at + 1}?_dependent=items`,
}));
const DRY = { Prefer: "tx=rollback" };

/** In this order: later ones meet the indexes and sandboxes of earlier ones. A request sent again must work again. */
const REQUESTS: readonly (readonly [name: string, line: string, options?: AskOptions])[] = [
  ["100 patterns that match nothing", `GET /companies?${PATTERNS.join("&").replaceAll("text", "name")}`],
  ["_sort by two keys", "GET /items?_sort=n,text&_limit=5"],
  ["_sort by 20 keys", `GET /items?_sort=${KEYS.join(",")}&_limit=5`],
  ["a filter and _sort", "GET /items?n:gte=1&_sort=text,uniq&_limit=5"],
  ["groups and _sort", "GET /items?_group=uniq,text&_sort=-count&_limit=5"],
  ["96 aggregates", `GET /items?_group=n&_aggregate=${SUMS.join(",")}`],
  ["all records", "GET /items?_sort=uniq"],
  ["JSONP", "GET /items?callback=show&_sort=text"],
  ["/db", "GET /db"],
  ["_expand", "GET /items?_expand=company"],
  ["a description of many collections", "GET /__openapi.json"],
  ["a description as OpenAPI 3.0", "GET /__openapi.json?version=3.0"],
  ["PATCH _all", "PATCH /items?_all=true", { body: { x: 1 } }],
  ["PATCH _all in a sandbox", "PATCH /__sandbox/s/items?_all=true", { body: { y: 1 } }],
  ["promote", "POST /__sandboxes/s/promote", { body: {} }],
  ["a batch of deletes with dependents, as a dry run", "POST /__batch", { body: { requests: deletes }, headers: DRY }],
  ["a batch of deletes with dependents", "POST /__batch", { body: { requests: deletes.slice(1) } }],
];

/** One for each kind of work: the others are left to the soak. */
const BRIEF = new Set(["_sort by two keys", "groups and _sort", "/db", "a description as OpenAPI 3.0", "PATCH _all"]);

describe("no turn of the loop has most of the work of", () => {
  for (const [name, line, options] of REQUESTS) {
    const run = BRIEF.has(name) ? test : testAtLength;
    run(name, async () => {
      let least = 1;
      // A pause for garbage may make one turn long; in one piece, the work is in one turn each time.
      for (let tries = line.startsWith("GET") ? TRIES : 1; tries > 0 && least > MAX_SHARE; tries--) {
        await server.turns();
        expect((await askAt(server.url, line, options)).status).toBe(200);
        const { longest, sum } = await server.turns();
        least = Math.min(least, longest <= SHORT_MS ? 0 : longest / sum);
      }
      expect(least).toBeLessThanOrEqual(MAX_SHARE);
    });
  }
});
