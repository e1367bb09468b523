import { expect, test } from "vitest";
import { parseParameters, readQuery } from "../../src/query/parse-query.ts";
import { storeWith } from "../postgres/database.ts";

test("PostgreSQL does not take a field with an operator for a field of that name", async () => {
  const things = [
    { id: 1, size: { width: 5 } },
    { id: 2, size: { width: 7 } },
  ];
  const { store } = await storeWith({ things });
  expect(await store.heldPaths("things", ["size.width", "size.width:gt", "size.depth"])).toEqual(
    new Set(["size.width"]),
  );
  const query = await readQuery(store, "things", parseParameters("size.width:gt=5"));
  const { records } = await store.find("things", query);
  expect(records.map(({ value }) => value)).toEqual([things[1]]);
});
