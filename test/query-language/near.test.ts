import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { connectOverHttp } from "../features/agents/agent.ts";
import { askAt, codeOf, idsOf } from "../support/api.ts";
import { PLACES } from "./places.ts";

let standin: Pick<Standin, "url" | "close">;

beforeAll(async () => {
  standin = await createStandin({ data: { places: PLACES, empty: [] } });
});
afterAll(() => standin.close());

const ask = (search: string, collection = "places") => askAt(standin.url, `GET /${collection}?${search}`);

/** Rome is 41.9,12.5; record 7 is 14 km away, Naples 188, Milan 477, Paris 1106, New York 6890, Auckland 18,394. */
const rows: readonly [search: string, ids: readonly number[]][] = [
  ["at:near=41.9,12.5,50km", [1, 7]],
  ["at:near=41.9,12.5,50", [1, 7]],
  ["at:near=41.9, 12.5, 50 km", [1, 7]],
  ["at:near=41.9,12.5,50000m", [1, 7]],
  ["at:near=41.9,12.5,190km", [1, 2, 7]],
  ["at:near=41.9,12.5,188km", [1, 7]],
  ["at:near=41.9,12.5,118mi", [1, 2, 7]],
  ["at:near=41.9,12.5,116mi", [1, 7]],
  ["at:near=41.9,12.5,0m", [1]],
  ["at:near=41.9,12.5,20100km", [1, 2, 3, 4, 5, 6, 7]],
  // Across the line where the days meet.
  ["at:near=-36.8,-179,600km", [6]],
  ["at:near=41.9,12.5,50km&at:near=48.9,2.4,50km", [1, 4, 7]],
  ["at:!near=41.9,12.5,20100km", [8, 9, 10, 11, 12]],
  ["branches.at:near=45.5,9.2,10km", [1]],
  ["branches:near=45.5,9.2,10km", []],
  ["nosuch:near=1,2,3", []],
  ["_or=at:near=41.9,12.5,50km&_or=at:near=48.9,2.4,50km", [1, 4, 7]],
  ['_where={"at":{"near":"41.9,12.5,50km"}}', [1, 7]],
  ['_where={"not":{"at":{"near":"41.9,12.5,20100km"}}}', [8, 9, 10, 11, 12]],
  ["at:near=41.9,12.5,500km&_sort=at:near(41.9,12.5)", [1, 7, 2, 3]],
  ["_sort=at:near(41.9,12.5)", [1, 7, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12]],
  ["_sort=-at:near(41.9,12.5)", [8, 9, 10, 11, 12, 6, 5, 4, 3, 2, 7, 1]],
  ["_sort=at:near(41.9,12.5)&_order=desc&_limit=7", [8, 9, 10, 11, 12, 6, 5]],
  ["_sort=kind,-at:near(41.9,12.5),id&_limit=4", [6, 5, 4, 3]],
  ["_sort=at:near(41.9,12.5)&_page=2&_limit=3", [3, 4, 5]],
  ["_sort=branches.at:near(45.5,9.2)&_limit=2", [1, 2]],
];

describe("near keeps places within a distance, and sorts by it", () => {
  for (const [search, ids] of rows) {
    test(`${search} -> ${JSON.stringify(ids)}`, async () => {
      expect(idsOf(await ask(search))).toEqual(ids);
    });
  }

  test("pages behind cursors have every record once, in the order of the list", async () => {
    for (const sort of ["at:near(41.9,12.5)", "-at:near(41.9,12.5)", "kind,at:near(41.9,12.5)"]) {
      const walked: unknown[] = [];
      let next: string | undefined = `/places?_sort=${sort}&_limit=2&_after=`;
      while (next !== undefined) {
        const response: Response = await fetch(standin.url + next);
        walked.push(...((await response.json()) as { id: number }[]).map(({ id }) => id));
        next = /<[^>]*?(\/places[^>]*)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
      }
      expect(walked).toEqual(idsOf(await ask(`_sort=${sort}`)));
    }
  });

  test("a cursor belongs to one place", async () => {
    const { headers } = await fetch(`${standin.url}/places?_sort=at:near(41.9,12.5)&_limit=2&_after=`);
    const cursor = /_after=([^&>]+)/.exec(headers.get("Link") ?? "")?.[1];
    const answer = await ask(`_sort=at:near(41.9,12.6)&_limit=2&_after=${cursor}`);
    expect([answer.status, codeOf(answer)]).toEqual([400, "CURSOR_INVALID"]);
  });
});

describe("an operand that is no place is refused with an example", () => {
  const operands = ["", "41.9", "41.9,12.5", "41.9,12.5,-1km", "41.9,12.5,50miles", "a,b,c", "91,0,1km", "0,181,1km"];
  for (const operand of operands) {
    test(`at:near=${operand} -> 400`, async () => {
      for (const collection of ["places", "empty"]) {
        const answer = await ask(`at:near=${operand}`, collection);
        expect([answer.status, codeOf(answer)]).toEqual([400, "QUERY_INVALID"]);
        expect((answer.body as { message: string }).message).toContain("for example 41.9,12.5,50km");
      }
    });
  }
  for (const argument of ["", "()", "(41.9)", "(41.9,12.5,50km)", "(91,0)", "(a,b)"]) {
    test(`_sort=at:near${argument} -> 400`, async () => {
      const answer = await ask(`_sort=at:near${argument}`);
      expect([answer.status, codeOf(answer)]).toEqual([400, "QUERY_INVALID"]);
      expect((answer.body as { message: string }).message).toContain("for example _sort=at:near(41.9,12.5)");
    });
  }
});

test("a field of the name takes precedence", async () => {
  await using api = await createStandin({
    data: {
      things: [
        { id: 1, "a:near(1,2)": 2 },
        { id: 2, "a:near(1,2)": 1 },
      ],
    },
  });
  expect(idsOf(await askAt(api.url, "GET /things?_sort=a:near(1,2)"))).toEqual([2, 1]);
});

test("find of the program API, groups and batches know it", async () => {
  await using api = await createStandin({ data: { places: PLACES } });
  expect(await api.db.places.find({ at: { near: "41.9,12.5,50km" } })).toHaveLength(2);
  const counted = await askAt(api.url, "GET /places?at:near=41.9,12.5,500km&_aggregate=count");
  expect(counted.body).toEqual([{ count: 4 }]);
  const batch = await fetch(`${api.url}/__batch`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      requests: [{ method: "PATCH", path: "/places?at:near=48.9,2.4,50km", body: { kind: "c" } }],
    }),
  });
  expect([batch.status, await api.db.places.find({ kind: "c" })]).toMatchObject([200, [{ id: 4 }]]);
  const removed = await fetch(`${api.url}/places?at:near=41.9,12.5,50km`, { method: "DELETE" });
  expect(removed.status).toBeLessThan(300);
  expect(await api.db.places.find()).toHaveLength(PLACES.length - 2);
});

test("agents filter and sort by it", async () => {
  await using api = await createStandin({ data: { places: PLACES } });
  const agent = await connectOverHttp(api.url, "2025-11-25");
  const path = "/places?at:near=41.9,12.5,500km&_sort=-at:near(41.9,12.5)&_fields=id";
  const { body } = await agent.call("query", { path, shared: true });
  expect(body.records).toEqual([3, 2, 7, 1].map((id) => ({ id })));
  const { tools } = await agent.client.listTools();
  expect(tools.find(({ name }) => name === "query")?.description).toContain(" near");
});
