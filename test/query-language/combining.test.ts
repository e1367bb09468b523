import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../src/index.ts";
import { askAt, codeOf, idsOf } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";

const things = [
  { id: 1, or: 1, not: { deep: 1 }, price: { gt: 5 } },
  { id: 2, or: 2, not: { deep: 2 }, price: 10 },
];

let standin: Pick<Standin, "url" | "close">;

beforeAll(async () => {
  standin = await createStandin({ data: { ...catalog(), things, empty: [] } });
});
afterAll(() => standin.close());

const ask = (search: string, collection = "products") =>
  askAt(standin.url, `GET /${collection}?${search.replaceAll(/(?<==)[{[][^&]*/g, encodeURIComponent)}`);

function finds(collection: string, rows: readonly (readonly [search: string, ids: readonly number[]])[]): void {
  for (const [search, ids] of rows) {
    test(`${search} -> ${JSON.stringify(ids)}`, async () => {
      expect(idsOf(await ask(search, collection))).toEqual(ids);
    });
  }
}

function refuses(rows: readonly (readonly [search: string, message: RegExp])[]): void {
  for (const [search, message] of rows) {
    const shown = search.length > 80 ? `${search.slice(0, 80)}...` : search;
    test(`${shown} -> 400, ${message}`, async () => {
      const answer = await ask(search);
      expect([answer.status, codeOf(answer)]).toEqual([400, "QUERY_INVALID"]);
      expect((answer.body as { message: string }).message).toMatch(message);
    });
  }
}

describe("_or: at least one must be met", () => {
  finds("products", [
    ["_or=price:lt=10&_or=name:contains=lamp", [6, 7, 10, 11, 12]],
    ["_or=price:lt=10", [6, 7, 11]],
    ["_or=price_lte=7.75&_or=name=Steel Hat", [1, 7, 11]],
    ["_or=price_gt=99.99&_or=name_startsWith=CON", [5, 8, 10]],
    ["_or=id:in=1,2&_or=id:in=3", [1, 2, 3]],
    ["_or=id:!in=1,2,3,4,5,6,7,8,9,10", [11, 12]],
    ["_or=price:lt=10&_or=name:contains=lamp&company_id=3", [6, 12]],
    ["_or=price:lt=10&_or=name:contains=lamp&q=steel", [12]],
    ['_or=price:lt=10&_or=name:contains=lamp&_where={"id":{"gt":10}}', [11, 12]],
    ["_or=price:lt=10&_or=id=1&_sort=-price&_limit=2", [1, 6]],
    ["_or=nosuch=1", []],
    ["_or=nosuch=1&_or=id=3", [3]],
    ["_or=nosuch_gt=1", []],
    ["_or=name=a=b", []],
  ]);
  finds("empty", [["_or=id=1", []]]);
  refuses([
    ["_or=price", /_or=price:lt=10/],
    ["_or=", /write a condition/],
    ["_or==5", /write a condition/],
    ["_or=price:foo=5", /no operator "foo"/],
    [Array.from({ length: 201 }, (_, id) => `_or=id=${id}`).join("&"), /200 conditions/],
  ]);
});

describe("_where: conditions as JSON", () => {
  finds("products", [
    ['_where={"or":[{"price":{"lt":10}},{"name":{"contains":"lamp"}}]}', [6, 7, 10, 11, 12]],
    ['_where={"price":{"gte":9.5,"lt":25.5}}', [1, 4, 6]],
    ['_where={"price":25.5,"company_id":3}', [12]],
    ['_where={"id":[1,2]}', [1, 2]],
    ['_where={"id":{"in":[1,"2"]}}', [1, 2]],
    ['_where={"id":{"in":[]}}', []],
    ['_where={"and":[{"price":{"gt":9}},{"price":{"lt":10}}]}', [6]],
    ['_where={"not":{"price":{"lt":100}}}', [5, 8]],
    ['_where={"not":{"price":{"gt":9},"company_id":{"ne":2}}}', [3, 5, 7, 8, 11]],
    ['_where={"price":{"!gt":7.75}}', [7, 11]],
    ['_where={"or":[]}', []],
    ['_where={"and":[]}&id:lt=3', [1, 2]],
    ["_where={}&id:lt=3", [1, 2]],
    ['_where={"nosuch":1}', []],
    ['_where={"nosuch":{"deep":{"gt":1}}}', []],
    ['_where={"or":[{"nosuch":1},{"id":4}]}', [4]],
    ['_where={"id":{"lt":4}}&company_id=1&q=hat', [1]],
    ['_where={"name":{"null":true}}', []],
    ['_where={"name":null}', []],
  ]);
  finds("companies", [
    ['_where={"headquarter":{"lat":{"gt":45}}}', [2, 3]],
    ['_where={"headquarter.lat":{"gt":45}}', [2, 3]],
    ['_where={"locations":{"city":"Rome"}}', [1, 3]],
    ['_where={"locations":{"city":{"in":["Paris","Lyon"]}}}', [1, 3]],
    ['_where={"locations":{"or":[{"city":"Berlin"},{"employee_number":{"lt":11}}]}}', [2, 3]],
  ]);
  // A literal field wins, also over a combination or an operator.
  finds("things", [
    ['_where={"or":[1]}', [1]],
    ['_where={"not":{"deep":2}}', [2]],
    ['_where={"price":{"gt":5}}', [1]],
  ]);
  const nested = (levels: number): string => (levels === 1 ? '{"id":1}' : `{"not":${nested(levels - 1)}}`);
  finds("products", [[`_where=${nested(20)}`, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]]]);
  refuses([
    [`_where=${nested(21)}`, /20 levels/],
    [`_where=${JSON.stringify({ or: Array.from({ length: 201 }, (_, id) => ({ id })) })}`, /200 conditions/],
    ["_where={", /not valid JSON/],
    ["_where=[]", /object/],
    ["_where=5", /object/],
    ["_where=null", /object/],
    ["_where=", /not valid JSON/],
    ['_where={"price":{"gt":[1,2]}}', /one value/],
    ['_where={"price":{"gt":null}}', /null/],
    ['_where={"price":{"gt":{"a":1}}}', /text, a number or a boolean/],
    ['_where={"price":{"null":"yes"}}', /true/],
    ['_where={"name":{"like":"("}}', /pattern/],
    ['_where={"or":[5]}', /object/],
  ]);
  test("200 conditions are fine, in _where and by the way", async () => {
    const conditions = Array.from({ length: 199 }, (_, at) => ({ id: at + 1 }));
    expect(idsOf(await ask(`_where=${JSON.stringify({ or: conditions })}&_or=id:lt=3`))).toEqual([1, 2]);
  });
});
