import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { singleFile } from "../../src/store/file/layout.ts";
import { openShared } from "../../src/store/file/shared-file.ts";
import { hookBefore } from "../durability/hooks.ts";
import { create, databaseOf } from "../durability/opened.ts";
import { asFile } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";

test("a change that the journal refuses once is not in the file that the same turn saves", async () => {
  const folder = createFolder({ "db.json": asFile({ notes: [{ id: 1 }] }) });
  const { store, release } = openShared(singleFile(join(folder, "db.json")), {
    idKey: "id",
    durability: "process",
    followsOutside: false,
    savesAtOnce: true,
    warn: () => undefined,
  });
  onTestFinished(release);
  let refusals = 0;
  hookBefore("openSync", (path) => {
    if (!path.includes("journal") || refusals++ > 0) return false;
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  });
  await expect(create(store, "notes", {})).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect(refusals).toBeGreaterThan(0);
  expect(await databaseOf(store)).toEqual({ notes: [{ id: 1 }] });
  expect(JSON.parse(readFileSync(join(folder, "db.json"), "utf8"))).toEqual({ notes: [{ id: 1 }] });
  await create(store, "notes", { text: "accepted" });
  expect(JSON.parse(readFileSync(join(folder, "db.json"), "utf8")).notes).toHaveLength(2);
});
