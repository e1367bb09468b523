import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json/json.ts";
import { createStandin, type Standin } from "../../src/index.ts";
import { type AskOptions, askAt, codeOf } from "../support/api.ts";
import { limit } from "../support/limits.ts";

const COUNT = 10_000;
/** Far below the seconds that each of these took, and far above what a slice of work takes. */
const LONGEST_TURN_MS = limit(400);

let standin: Pick<Standin, "url" | "close">;

beforeAll(async () => {
  const things: JsonObject[] = Array.from({ length: COUNT }, (_, at) => ({
    id: at + 1,
    name: `Thing ${at}`,
    price: at % 1000,
    tags: ["a", "b"],
    place: { city: `c${at % 50}`, n: at },
  }));
  standin = await createStandin({ data: { things, few: things.slice(0, 5) } });
});
afterAll(() => standin.close());

const ask = (line: string, options?: AskOptions) => askAt(standin.url, line, options);
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const QUERY = "QUERY /things";

describe(`nothing is blocked on ${COUNT} records`, () => {
  const cases: [title: string, line: string, status: number, body?: JsonObject][] = [
    ["1,000 unknown parameters", `GET /things?_limit=1&${many(999, (at) => `u${at}=1`).join("&")}`, 200],
    ["1,000 unknown nested parameters", `GET /things?_limit=1&${many(999, (at) => `tags.u${at}=1`).join("&")}`, 200],
    [
      "known names in unknown places",
      `GET /things?_limit=1&${many(60, (at) => `place.${"tags.".repeat(at)}name=1`).join("&")}`,
      200,
    ],
    ["200 unknown fields with operators", `GET /things?_limit=1&${many(200, (at) => `w${at}:gt=1`).join("&")}`, 200],
    ["201 unknown fields with operators", `GET /things?_limit=1&${many(201, (at) => `w${at}:gt=1`).join("&")}`, 400],
    ["200 alternatives", `GET /things?_limit=1&${many(200, (at) => `_or=place.n:gt=${COUNT - at}`).join("&")}`, 200],
    ["201 alternatives", `GET /things?_limit=1&${many(201, (at) => `_or=place.n:gt=${at}`).join("&")}`, 400],
    ["200 negated patterns", `GET /things?_limit=1&${many(200, (at) => `_or=name:!like=a.*b${at}`).join("&")}`, 200],
    ["a list of 10,000", QUERY, 200, { _limit: 1, "id:in": many(10_000, (at) => at * 7) }],
    ["a list of 10,001", QUERY, 400, { _limit: 1, "id:in": many(10_001, (at) => at * 7) }],
    ["10,000 texts to contain", QUERY, 400, { _limit: 1, "name:contains": many(10_000, (at) => `x${at}`) }],
    ["200 texts to contain", QUERY, 200, { _limit: 1, "name:contains": many(200, (at) => `x${at}`) }],
    ["1,000 fields to keep", QUERY, 200, { _limit: 100, _fields: many(1000, (at) => `f${at}.g`) }],
    ["1,000 fields to drop", QUERY, 200, { _limit: 100, _fields: many(1000, (at) => `-f${at}.g`) }],
    ["5,000 fields to keep", QUERY, 400, { _limit: 100, _fields: many(5000, (at) => `f${at}.g`) }],
    ["20 sort keys", QUERY, 200, { _limit: 1, "id:lt": 2000, _sort: many(20, (at) => `-f${at}`) }],
    ["21 sort keys", QUERY, 400, { _limit: 1, _sort: many(21, (at) => `-f${at}`) }],
    ["20 groups", QUERY, 200, { _limit: 1, "id:lt": 5000, _group: many(20, (at) => `f${at}`) }],
    ["21 groups", QUERY, 400, { _limit: 1, _group: many(21, (at) => `f${at}`) }],
    ["100 aggregates", QUERY, 200, { "id:lt": 5000, _aggregate: many(100, (at) => `sum:f${at}`) }],
    ["101 aggregates", QUERY, 400, { _aggregate: many(101, (at) => `sum:f${at}`) }],
    ["a pattern for 50,000 rows", "GET /things?_limit=1&_group=name&_having=name:like=x.*y.*z", 200],
    [
      "_where of 1 MB",
      QUERY,
      200,
      { _limit: 1, _where: { name: { in: many(9000, (at) => `${"n".repeat(95)}${at}`) } } },
    ],
    [
      "_where of 2 MB",
      QUERY,
      400,
      { _limit: 1, _where: { name: { in: many(9000, (at) => `${"n".repeat(200)}${at}`) } } },
    ],
    ["_where of 100,000 levels", QUERY, 400, { _where: `${'{"not":'.repeat(100_000)}{}${"}".repeat(100_000)}` }],
    ["_where of 100,000 lists", QUERY, 400, { _where: `{"or":${"[".repeat(100_000)}${"]".repeat(100_000)}}` }],
    ["strict with 1,000 unknown parameters", `GET /things?_limit=1&${many(999, (at) => `u${at}=1`).join("&")}`, 400],
  ];
  for (const [title, line, status, body] of cases) {
    test(`${title} -> ${status}`, async () => {
      const headers = title.startsWith("strict") ? { Prefer: "handling=strict" } : {};
      const watched = watchTurns();
      const answer = await ask(line, body ? { body, headers } : { headers });
      const longest = watched.end();
      expect([answer.status, answer.text.length > 0]).toEqual([status, true]);
      expect(longest).toBeLessThan(LONGEST_TURN_MS);
    });
  }
});

describe("names and values that mean harm", () => {
  const refused: [line: string, code: string, body?: JsonObject][] = [
    ["GET /few?__proto__:eq=1", "QUERY_INVALID"],
    ["GET /few?__proto__.x:gt=1", "QUERY_INVALID"],
    ["GET /few?a.__proto__.b:null=true", "QUERY_INVALID"],
    ["GET /few?_or=__proto__:eq=1", "QUERY_INVALID"],
    ['GET /few?_where={"__proto__":{"gt":1}}', "QUERY_INVALID"],
    ["GET /few?_limit=2&_after=x", "CURSOR_INVALID"],
    ["GET /few?_limit=2&_after=W10", "CURSOR_INVALID"],
    [`GET /few?_limit=2&_after=${"a".repeat(10_000)}`, "CURSOR_INVALID"],
    [`GET /few?name:like=${"a".repeat(1001)}`, "QUERY_INVALID"],
    ["GET /few?name:like=(a{1000}){1000}", "QUERY_INVALID"],
    ["GET /few?_per_page=1e9", "QUERY_INVALID"],
    ["GET /few?_after=&_limit=NaN", "QUERY_INVALID"],
    ["QUERY /few", "QUERY_INVALID", { "price:gt": null }],
    ["QUERY /few", "QUERY_INVALID", { "price:gt": { a: 1 } }],
    ["QUERY /few", "QUERY_INVALID", { "price:gt": [[1]] }],
  ];
  for (const [line, code, body] of refused) {
    test(`${line.slice(0, 70)}${body ? ` ${JSON.stringify(body)}` : ""} -> 400 ${code}`, async () => {
      const answer = await ask(line, body ? { body } : {});
      expect([answer.status, codeOf(answer)]).toEqual([400, code]);
    });
  }

  const served: [line: string, ids: number[]][] = [
    ["GET /few?constructor:eq=1", []],
    ["GET /few?constructor:null=true&id:lt=3", [1, 2]],
    ["GET /few?toString:contains=function", []],
    ["GET /few?price:gt=1e400", []],
    ["GET /few?price:lt=1e400&id:lt=3", [1, 2]],
    ["GET /few?price:gt=-Infinity&id:lt=3", [1, 2]],
    ["GET /few?price:gt=NaN", []],
    ["GET /few?price:!gt=NaN&id:lt=3", [1, 2]],
    [`GET /few?price:gt=${"9".repeat(400)}`, []],
    ["GET /few?price:gt=0x1&price:lt=0b100", [3, 4]],
    ["GET /few?name:contains=%00", []],
    ["GET /few?name:contains=%ED%A0%80", []],
    [`GET /few?${"a.".repeat(2000)}b:null=false`, []],
    ["GET /few?_page=99999999999999999999&_per_page=99999999999999999999", [1, 2, 3, 4, 5]],
    ["GET /few?_after=&_limit=99999999999999999999", [1, 2, 3, 4, 5]],
    ["GET /few?_fields=id,__proto__,constructor", [1, 2, 3, 4, 5]],
    ["GET /few?_sort=__proto__,constructor.name", [1, 2, 3, 4, 5]],
  ];
  for (const [line, ids] of served) {
    test(`${line.slice(0, 90)} -> ${JSON.stringify(ids)}`, async () => {
      const answer = await ask(line);
      expect(answer.status, answer.text).toBe(200);
      const list = Array.isArray(answer.body) ? answer.body : (answer.body as { data: JsonObject[] }).data;
      expect(list.map(({ id }: JsonObject) => id)).toEqual(ids);
    });
  }

  test("_group and _aggregate by __proto__ make plain columns", async () => {
    const answer = await ask("GET /few?_group=__proto__&_aggregate=count,sum:__proto__");
    expect([answer.status, answer.text]).toEqual([200, '[{"__proto__":null,"count":5,"sum___proto__":0}]']);
  });
});

/** The longest turn of the event loop in processor time, which others on the machine do not lengthen. */
function watchTurns(): { end(): number } {
  let longest = 0;
  let isOver = false;
  let before = process.cpuUsage();
  const turn = (): void => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    end: () => {
      isOver = true;
      return longest;
    },
  };
}
