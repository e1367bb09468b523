import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";

const refusals = [
  ["price:gtt=1", 'price:gtt: there is no operator "gtt". Did you mean "gt"?'],
  ["_or=price:gtt=1", '_or=price:gtt: there is no operator "gtt". Did you mean "gt"?'],
  ["_or=name_like=(", "_or=name_like=(: not a valid pattern (Unterminated group)."],
  ["_or=price", "_or=price: write a condition, for example _or=price:lt=10."],
  ["_group=price&_having=count:gtt=1", '_having=count:gtt: there is no operator "gtt". Did you mean "gt"?'],
  ["_group=price&_having=count", "_having=count: write a condition, for example _having=count:gt=3."],
  ["price:null=yes", "price:null=yes: the value must be true or false."],
  ['_where={"price":{"null":"yes"}}', "_where price:null=yes: the value must be true or false."],
];

test("messages name the parameter and what to write instead", async () => {
  const { ask } = await startApi();
  for (const [query, message] of refusals) {
    expect((await ask(`GET /products?${query}`)).body).toMatchObject({ code: "QUERY_INVALID", message });
  }
});
