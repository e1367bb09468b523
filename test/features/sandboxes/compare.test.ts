import { expect, test } from "vitest";
import { codeOf, startApi } from "../../support/api.ts";

const data = {
  products: [
    { id: 1, name: "Hat" },
    { id: 2, name: "Cap" },
    { id: 3, name: "Mug" },
  ],
};

test("?against=main lists what differs now, whichever side has changed", async () => {
  const api = await startApi({ data });
  const inside = { headers: { "X-Standin-Sandbox": "ann" } };
  await api.ask("PATCH /products/1", { ...inside, body: { name: "Felt Hat" } });
  await api.ask("PATCH /products/2", { body: { name: "Wool Cap" } });
  await api.ask("POST /products", { body: { id: 4, name: "Jug" } });
  const made = (await api.ask("GET /__sandboxes/ann/changes")).body;
  expect(made).toMatchObject({ total: 1, changes: [{ id: 1, before: { name: "Hat" }, after: { name: "Felt Hat" } }] });
  expect((await api.ask("GET /__sandboxes/ann/changes?against=main")).body).toMatchObject({
    total: 3,
    changes: [
      { id: 1, kind: "changed", before: { name: "Hat" }, after: { name: "Felt Hat" } },
      { id: 2, kind: "changed", before: { name: "Wool Cap" }, after: { name: "Cap" } },
      { id: 4, kind: "removed", before: { name: "Jug" }, after: null },
    ],
    conflicts: [],
  });
  await api.ask("POST /__sandboxes/ann/promote");
  expect((await api.ask("GET /__sandboxes/ann/changes?against=main")).body).toMatchObject({ total: 0, changes: [] });
});

test("?against=anything else is refused", async () => {
  const api = await startApi({ data });
  await api.ask("POST /__sandboxes", { body: { name: "ann" } });
  const answer = await api.ask("GET /__sandboxes/ann/changes?against=bob");
  expect([answer.status, codeOf(answer)]).toEqual([400, "QUERY_INVALID"]);
});
