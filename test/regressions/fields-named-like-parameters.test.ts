import { expect, test } from "vitest";
import { idsOf, startApi } from "../support/api.ts";

test("a filter on a field named _group does not contradict a cursor", async () => {
  const things = [
    { id: 1, _group: "a" },
    { id: 2, _group: "b" },
  ];
  const api = await startApi({ data: { things } });
  expect(idsOf(await api.ask("GET /things?_group=b&_after=&_limit=5"))).toEqual([2]);
  expect(idsOf(await api.ask("GET /things?_page=&_after=&_limit=5"))).toEqual([1, 2]);
});

test("a suffix follows a field whose name has a colon", async () => {
  const things = [
    { id: 1, "x:in": "lamp" },
    { id: 2, "x:in": "desk" },
  ];
  const api = await startApi({ data: { things } });
  expect(idsOf(await api.ask("GET /things?x:in_contains=AM"))).toEqual([1]);
});
