import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { openServiceOver } from "../../support/serve-store.ts";
import { serveGuarded, storeOf } from "./guarded-server.ts";

const DATA = { orders: [{ id: 1, user_id: 1, team: "red, or blue" }], companies: [{ id: 1 }], tags: [{ id: 1 }] };

const refused: readonly (readonly [JsonObject, string])[] = [
  [{ orders: "owner" }, "access.orders: must be an object"],
  [
    { orders: { red: "owner" } },
    'access.orders.red: is not a setting; allowed are owner, read, write, admin. Did you mean "read"?',
  ],
  [{ orders: { read: "owner" } }, 'access.orders.read: is "owner", but no field is named in "owner".'],
  [{ orders: { owner: "a.b", read: "owner" } }, "access.orders.owner: must name a field of the records"],
  [
    { orders: { read: "everyone" } },
    'access.orders.read: "everyone" is no rule; allowed are owner, anyone, role:<name>',
  ],
  [{ orders: { read: "role:" } }, '"role:" is no rule'],
  [{ orders: { read: "anyone", admin: true } }, 'access.orders.admin: must be "all", not true.'],
  [{ orders: { read: "_sort=id&a=1" } }, "access.orders.read: _sort does not choose records"],
  [{ orders: { read: "q=a" } }, "q does not choose records; allowed are filters, _or and _where."],
  [{ orders: { read: "_fields=id&a=1" } }, "_fields does not choose records"],
  [{ orders: { read: "_where={}" } }, "A part of it has no condition."],
  [{ orders: { read: '_where={"or":[{},{"a":1}]}' } }, "A part of it has no condition."],
  [{ orders: { read: "_where={" } }, "access.orders.read: _where"],
  [{ orders: { read: "price:gtt=1" } }, 'there is no operator "gtt"'],
  [{ orders: { read: "{{user.id}}=1" } }, "A value of the user cannot be the name of a field."],
  [{ orders: { read: "name_like={{user.id}}" } }, "like takes no value of the user"],
  [{ orders: { read: "deleted:null=true" } }, "deleted:null=true would hold for a misspelt field, too"],
  [{ orders: { read: "deleted:!null=false" } }, "deleted:null=true would hold for a misspelt field, too"],
  [{ orders: { read: "a={{me.id}}" } }, "{{me.id}} is not known; write {{user.id}} or {{user.<claim>}}."],
];

for (const [access, message] of refused) {
  test(`${JSON.stringify(access)} stops the start`, async () => {
    await expect(serveGuarded(storeOf(DATA), { access })).rejects.toThrow(message);
  });
}

test("access without the layer that knows who asks stops the start", async () => {
  const starting = openServiceOver(storeOf(DATA), { access: { orders: { read: "anyone" } } });
  await expect(starting).rejects.toThrow('access needs to know who asks. Add "sign-in" to middlewares');
});

test("the start names the collections that only admins may use, and those that are not there", async () => {
  const { notes, close } = await serveGuarded(storeOf(DATA), { access: { orders: { read: "anyone" }, ordres: {} } });
  expect(notes).toEqual([
    "access: only admins may read and write companies, tags, which it does not list.",
    "access: ordres is listed, but not in the data.",
  ]);
  await close();
});

const bound: readonly (readonly [string, number])[] = [
  // The value of Ann's claim is one value, whatever is in it.
  ["team={{user.motto}}", 1],
  ["team:in=green,{{user.motto}}", 1],
  ["team:in={{user.missing}},red", 0],
  ["team:ne={{user.missing}}", 0],
  ["team:ne={{user.empty}}", 0],
  ["team:!eq={{user.missing}}", 0],
  ["team:ne={{user.id}}", 1],
  ["colour:!eq=green", 0],
  ["colour:ne=green", 0],
  ["team={{user.list}}", 0],
  ["team:contains={{user.claims.nested.word}}", 1],
  ["_or=team={{user.missing}}&_or=user_id={{ user.id }}", 1],
];

for (const [read, count] of bound) {
  test(`the rule ${read} shows ${count} of one record`, async () => {
    const { PEOPLE } = await import("./guarded-server.ts");
    const claims = { motto: "red, or blue", empty: "", list: ["red, or blue"], nested: { word: "blue" } };
    Object.assign(PEOPLE.ann.claims, claims);
    const server = await serveGuarded(storeOf(DATA), { access: { orders: { read } } });
    expect((await server.as("ann", "GET /orders")).body).toHaveLength(count);
    expect((await server.as("ann", "GET /orders/1")).status).toBe(count === 0 ? 404 : 200);
    const strict = await server.as("ann", "GET /orders?id=1", { headers: { prefer: "handling=strict" } });
    expect(strict.status).toBe(200);
    await server.close();
  });
}
