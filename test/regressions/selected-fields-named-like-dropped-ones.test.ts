import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";

test("to keep a field named -price is not to drop the field price, whichever was asked first", async () => {
  const things = [{ id: 1, price: 5 }];
  const api = await startApi({ data: { things, others: [{ id: 1, price: 5, "-price": 7 }] } });
  expect((await api.ask("GET /things?_fields=-price")).body).toEqual([{ id: 1 }]);
  expect((await api.ask("GET /others?_fields=-price")).body).toEqual([{ "-price": 7 }]);
  expect((await api.ask("GET /things?_fields=-price")).body).toEqual([{ id: 1 }]);
});
