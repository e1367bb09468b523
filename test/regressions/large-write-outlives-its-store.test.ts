import { expect, test } from "vitest";
import { opened } from "../durability/opened.ts";
import { asFile, dataIn, filesIn } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";

test("a stop waits for large writes that are being made ready, and for those behind them", async () => {
  const folder = createFolder({ "db.json": asFile({ notes: [] }) });
  const { store } = await opened(folder);
  const bodies = Array.from({ length: 3000 }, (_, index) => ({ text: `note ${index}` }));
  const writing = [1, 2].map(() => store.apply({ kind: "create", collection: "notes", bodies }));
  await store.close();
  const files = filesIn(folder);
  await Promise.all(writing);
  expect(files).toEqual(["db.json"]);
  expect(filesIn(folder)).toEqual(["db.json"]);
  expect(dataIn(folder).notes).toHaveLength(6000);
});
