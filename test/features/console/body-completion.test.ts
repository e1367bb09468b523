import { expect, test } from "vitest";
import { completionAt } from "../../../console/src/request/body-completion.ts";
import { knownOperations, operationsFor } from "../../../console/src/request/known-requests.ts";
import { EMPTY_DRAFT } from "../../../console/src/request/request-draft.ts";

const SCHEMAS = {
  Order: {
    type: "object",
    properties: {
      id: { type: "integer", readOnly: true },
      status: { $ref: "#/components/schemas/Status" },
      note: { type: "string" },
      isPaid: { type: "boolean" },
      sizes: { type: "array", items: { enum: [40, 42] } },
      address: { type: "object", properties: { city: { type: "string" }, kind: { const: "home" } } },
      lines: { type: "array", items: { $ref: "#/components/schemas/Order" } },
    },
  },
  Status: { anyOf: [{ type: "string", enum: ["open", "paid"] }, { enum: [null] }] },
};
const ROOT = {
  paths: {
    "/orders": {
      post: { requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } } } },
    },
  },
  components: { schemas: SCHEMAS },
};
const FIELDS = operationsFor(knownOperations(ROOT), { ...EMPTY_DRAFT, method: "POST", path: "/orders" }).flatMap(
  ({ fields }) => fields,
);

/** A body with the caret at `|`, and the body after the first choice; nothing where none is offered. */
const TYPED: readonly (readonly [body: string, chosen: string | undefined, choices?: readonly string[]])[] = [
  ['{ "st|', '{ "status": |', ["status"]],
  ["{ st| }", '{ "status": | }'],
  ['{ "is|": true }', '{ "isPaid"|: true }'],
  // Those that begin with it come first; those that the object has, and the read-only id, are not offered.
  ['{ "s|, "note": "" }', '{ "status": |, "note": "" }', ["status", "sizes", "isPaid", "address", "lines"]],
  ['{ "id|', '{ "isPaid": |', ["isPaid"]],
  ['{ "status": "p|" }', '{ "status": "paid"| }', ["paid", "open"]],
  ['{ "status": n| }', '{ "status": null| }', ["null", "open"]],
  ['{ "isPaid": f|', '{ "isPaid": false|'],
  ['{ "sizes": [40, 4|]', '{ "sizes": [40, 40|]', ["40", "42"]],
  ['{ "address": { "c|" } }', '{ "address": { "city": | } }', ["city"]],
  ['{ "lines": [{}, { "lines": [{ "no|', '{ "lines": [{}, { "lines": [{ "note": |'],
  ['[{ "note": "a" }, { "no|', '[{ "note": "a" }, { "note": |'],
  // Nothing is typed yet, or it is a text of one's own, or complete.
  ["{ |", undefined],
  ['{ "note": "st|', undefined],
  ['{ "isPaid": true| }', undefined],
  ['{ "status"| }', undefined],
  ["st|", undefined],
  ["|", undefined],
];

for (const [body, chosen, choices] of TYPED) {
  test(`${body} is completed to ${chosen}`, () => {
    const caret = body.indexOf("|");
    const text = body.replace("|", "");
    const completion = completionAt(text, caret, FIELDS, false);
    if (choices) expect(completion?.choices.map(({ label }) => label)).toEqual(choices);
    expect(
      completion && `${text.slice(0, completion.from)}${completion.choices[0]?.text}|${text.slice(completion.to)}`,
    ).toBe(chosen);
  });
}

test("on request, all names or values are offered before anything is typed", () => {
  const offered = (body: string) =>
    completionAt(body.replace("|", ""), body.indexOf("|"), FIELDS, true)?.choices.map(({ label }) => label);
  expect(offered("{ | }")).toEqual(["status", "note", "isPaid", "sizes", "address", "lines"]);
  expect(offered('{ "status": |')).toEqual(["open", "paid", "null"]);
  expect(offered('{ "status": "open"| }')).toBeUndefined();
  expect(offered('{ "note": | }')).toBeUndefined();
});
