import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { createStandin } from "../../../src/index.ts";
import { askAt, startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { IS_SOAK, testAtLength } from "../../support/soak.ts";
import { NOTES, revertBesideWrites } from "./revert-beside-writes.ts";

/** So many records that writes come while they are compared. */
const LARGE = { ...NOTES, parts: Array.from({ length: 20_000 }, (_, at) => ({ id: at + 1, name: `Part ${at}` })) };

testAtLength("in memory", async () => {
  await revertBesideWrites(await startApi({ data: LARGE }), 3);
});

test("in files", async () => {
  const folder = createFolder({ "db.json": JSON.stringify(LARGE) });
  const { url, close } = await createStandin({ source: join(folder, "db.json"), persist: true });
  onTestFinished(close);
  await revertBesideWrites({ ask: (line, options) => askAt(url, line, options) }, IS_SOAK ? 3 : 1);
});
