import { expect, test } from "vitest";
import type { Overview } from "../../../console/src/api/overview.ts";
import { examplesFor } from "../../../console/src/overview/examples.ts";
import { addressOf } from "../../../console/src/request/request-draft.ts";
import { startApi } from "../../support/api.ts";

test("the first requests that the overview suggests all find something", async () => {
  const { ask } = await startApi();
  const examples = examplesFor((await ask("GET /__overview")).body as unknown as Overview);
  expect(examples.map(({ does }) => does)).toEqual([
    "The first five",
    "A range, in order",
    "A word in a field",
    "How many of each",
    "Related records",
    "A new one",
  ]);
  for (const { does, draft } of examples) {
    const body = draft.body === "" ? {} : { body: JSON.parse(draft.body) as object };
    const { status, body: found } = await ask(`${draft.method} ${addressOf(draft)}`, body);
    expect([does, status, Object.keys(found as object).length > 0]).toEqual([
      does,
      does === "A new one" ? 201 : 200,
      true,
    ]);
  }
});

test("an object has examples of its own, and a read-only server none that write", async () => {
  const { ask } = await startApi({ data: { "my profile": { name: "Ann" } } });
  const overview = (await ask("GET /__overview")).body as unknown as Overview;
  const requestsFor = (shown: Overview) => examplesFor(shown).map(({ draft }) => `${draft.method} ${addressOf(draft)}`);
  expect(requestsFor(overview)).toEqual(["GET /my%20profile", "PATCH /my%20profile"]);
  expect(requestsFor({ ...overview, readOnly: true })).toEqual(["GET /my%20profile"]);
});
