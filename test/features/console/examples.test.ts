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
