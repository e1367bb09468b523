import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../console/src/api/json.ts";
import { parseListQuery } from "../../../console/src/data/list-query.ts";
import {
  type BatchRequest,
  type BatchResponse,
  changingRequests,
  choosingQueries,
  choosingQuery,
  matchingRequest,
  removingRequests,
  revertingRequests,
  type TaggedRecord,
} from "../../../console/src/data/rows/bulk-requests.ts";
import { cellDraft, readCell } from "../../../console/src/data/rows/cell-draft.ts";
import { conditionFor, copyOf, withCondition } from "../../../console/src/data/rows/row-values.ts";
import { countSelected, EVERYTHING, isSelected, NOTHING, select } from "../../../console/src/data/rows/selection.ts";
import { type Api, codeOf, startApi } from "../../support/api.ts";

describe("a selection", () => {
  test("is of some records, or of all but some", () => {
    const some = select(select(NOTHING, ["1", "2", "3"], true), ["2"], false);
    expect([...some.ids]).toEqual(["1", "3"]);
    expect([countSelected(some, 100), isSelected(some, "3"), isSelected(some, "2")]).toEqual([2, true, false]);
    const most = select(EVERYTHING, ["2", "5"], false);
    expect([countSelected(most, 100), isSelected(most, "3"), isSelected(most, "2")]).toEqual([98, true, false]);
    expect(countSelected(select(most, ["2"], true), 100)).toBe(99);
  });
});

describe("many records at once", () => {
  const sent = async ({ ask }: Api, requests: readonly BatchRequest[]) => {
    const answer = await ask("POST /__batch", { body: { requests } });
    return { ...answer, responses: (answer.body as { responses: BatchResponse[] }).responses };
  };
  const tagged = async (api: Api, paths: readonly string[]): Promise<TaggedRecord[]> => {
    const { responses } = await sent(
      api,
      paths.map((path) => ({ method: "GET", path })),
    );
    return responses.map(({ body, headers }, at) => ({
      path: paths[at] as string,
      value: body as JsonObject,
      etag: headers.ETag as string,
    }));
  };

  test("are changed, put back, and removed, as they were read or not at all", async () => {
    const api = await startApi();
    const before = (await api.ask("GET /products")).text;
    const records = await tagged(api, ["/products/1", "/products/2", "/products/12"]);
    const requests = changingRequests(records, { field: "price", value: 25.5 });
    // Two of them have that price already.
    expect(requests.map(({ path }) => path)).toEqual(["/products/1"]);
    const renamed = changingRequests(records, { field: "name", value: "Same" });
    const { responses } = await sent(api, renamed);
    expect((await api.ask("GET /products?name=Same&_aggregate=count")).body).toEqual([{ count: 3 }]);
    const undoing = revertingRequests(records, renamed, responses);
    expect((await sent(api, undoing)).status).toBe(200);
    expect((await api.ask("GET /products")).text).toBe(before);

    // All of them have changed since they were read.
    expect(codeOf(await sent(api, removingRequests(records)))).toBe("RECORD_CHANGED");
    const [first, ...others] = await tagged(api, ["/products/1", "/products/2"]);
    const without = changingRequests([first as TaggedRecord, ...others], { field: "price", value: undefined });
    expect((await sent(api, without)).status).toBe(200);
    expect((await api.ask("GET /products/1")).body).toEqual({ id: 1, name: "Steel Hat", company_id: 1 });
    expect((await sent(api, removingRequests(await tagged(api, ["/products/1", "/products/2"])))).status).toBe(200);
    expect((await api.ask("GET /products?_aggregate=count")).body).toEqual([{ count: 10 }]);
  });

  test("that are too many for a batch are chosen by their filter, and no more of them than were seen", async () => {
    const { ask } = await startApi();
    const query = parseListQuery("price:gte=100&_sort=name&_fields=id");
    const choosing = choosingQuery(query, "id", new Set(["5"]));
    expect(choosing).toBe("price:gte=100&id:nin=5");
    const set = matchingRequest("products", choosing, { field: "name", value: null }, 1);
    expect(set).toEqual({
      method: "PATCH",
      path: "/products?price:gte=100&id:nin=5",
      headers: { Prefer: "max-affected=1" },
      body: { name: null },
    });
    const { method, path, headers, body = {} } = set;
    expect((await ask(`${method} ${path}`, { headers, body })).body).toEqual({ count: 1, ids: [8] });
    const take = matchingRequest("products", choosing, { field: "name", value: undefined }, 1);
    await ask(`${take.method} ${take.path}`, { headers: take.headers, body: take.body as object });
    expect((await ask("GET /products/8")).body).toEqual({ id: 8, price: 100, company_id: 2 });
    // Ids that were picked one by one are never left out by mistake.
    const ids = Array.from({ length: 1500 }, (_, at) => String(at + 9));
    const picked = choosingQueries(query, "id", select(NOTHING, ids, true));
    expect(picked.map((text) => text.slice(0, 18))).toEqual(["id:in=9,10,11,12,1", "id:in=1009,1010,10"]);
    expect(choosingQueries(query, "id", { kind: "allBut", ids: new Set(["5"]) })).toEqual([choosing]);
    const requests = picked.map((text) => matchingRequest("products", text, undefined, 1500));
    const { body: batched } = await ask("POST /__batch", { body: { requests } });
    expect(batched).toMatchObject({ responses: [{ body: { ids: [9, 10, 11, 12] } }, { body: { count: 0 } }] });
    const all = matchingRequest("products", choosingQuery(parseListQuery(""), "id", new Set()), undefined, 7);
    expect(all.path).toBe("/products?_all=true");
    expect(codeOf(await ask(`DELETE ${all.path}`, { headers: all.headers }))).toBe("MAX_AFFECTED");
  });
});

describe("a row", () => {
  test("is copied without its id and the times that the server keeps", () => {
    const fields = [{ name: "createdAt", types: ["string" as const], isKept: true }];
    expect(copyOf({ id: 1, name: "Hat", createdAt: "2026" }, "id", fields)).toEqual({ name: "Hat" });
  });

  test("makes a filter of a value, in the place of another on it", () => {
    expect(conditionFor("a", 1)).toEqual({ path: "a", operator: "eq", value: "1" });
    expect(conditionFor("a", true, true)).toEqual({ path: "a", operator: "ne", value: "true" });
    expect(conditionFor("a", null)).toEqual({ path: "a", operator: "null", value: "true" });
    expect(conditionFor("a", undefined, true)).toEqual({ path: "a", operator: "null", value: "false" });
    expect([conditionFor("a", ""), conditionFor("a", [1])]).toEqual([undefined, undefined]);
    const filtered = withCondition(parseListQuery("a=1&b=2&a:ne=3"), { path: "a", operator: "eq", value: "4" });
    expect(filtered.filters.flat().map(({ path, operator, value }) => path + operator + value)).toEqual([
      "beq2",
      "ane3",
      "aeq4",
    ]);
  });

  test("edits a value as what it is, and one that is not there as its column has it", () => {
    expect(cellDraft("a", 5, ["string"])).toEqual({ name: "a", kind: "number", text: "5" });
    expect(cellDraft("a", null, ["number", "null"])).toEqual({ name: "a", kind: "number", text: "" });
    expect(cellDraft("a", undefined, ["number", "string"]).kind).toBe("text");
    const typed = (text: string, kind: "text" | "number" | "json", before: JsonObject[string] | undefined) =>
      readCell({ name: "a", kind, text }, before);
    expect(typed("", "number", null)).toEqual({ kind: "same" });
    expect(typed("", "text", "x")).toEqual({ kind: "value", value: "" });
    expect(typed("", "number", 5)).toEqual({ kind: "problem", message: "must be a number" });
    expect(typed("5.0", "number", 5)).toEqual({ kind: "same" });
    expect(typed('{"b":1}', "json", undefined)).toEqual({ kind: "value", value: { b: 1 } });
    expect(typed("{", "json", {})).toMatchObject({ kind: "problem" });
  });
});
