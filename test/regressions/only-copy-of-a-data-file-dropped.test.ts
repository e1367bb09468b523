import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hookBefore } from "../durability/hooks.ts";
import { create, databaseOf, opened } from "../durability/opened.ts";
import { asFile, eventually, filesIn, imageOf, matching } from "../durability/place.ts";
import { createFolder } from "../support/cli.ts";

const JOURNAL = join("data", ".standin", "data.journal");

/** The files of a process killed between the two steps of a replacement: `notes.json` has only its second name. */
async function killedBetweenTheSteps(): Promise<{ image: string; lost: string }> {
  const root = createFolder({ "data/notes.json": asFile([{ id: 1 }]), "data/other.json": asFile([]) });
  const path = join(root, "data", "notes.json");
  const { store } = await opened(root, { source: "data" });
  // Another program replaces the file, so that saves take two steps from now on.
  writeFileSync(join(root, "editor.tmp"), asFile([{ id: 1, by: "hand" }]));
  renameSync(join(root, "editor.tmp"), path);
  await create(store, "notes", {});
  const lost = asFile([{ id: 1 }, { id: 2 }]);
  await eventually(() => readFileSync(path, "utf8") === lost);
  let image = "";
  hookBefore("linkSync", (from, to) => {
    if (to === path && from.endsWith(".tmp")) image = imageOf(root);
    return image !== "";
  });
  await create(store, "notes", {});
  await eventually(() => image !== "");
  await store.close();
  return { image, lost };
}

for (const [what, damage] of [
  ["is gone", (image: string) => rmSync(join(image, JOURNAL))],
  ["has lost its header", (image: string) => writeFileSync(join(image, JOURNAL), "destroyed\n")],
] as const) {
  test(`a data file that only its second name is left of stays when the journal ${what}`, async () => {
    const { image, lost } = await killedBetweenTheSteps();
    expect(existsSync(join(image, "data", "notes.json"))).toBe(false);
    damage(image);
    const { store, warnings } = await opened(image, { source: "data" });
    expect(await databaseOf(store)).toEqual({ other: [] });
    await store.close();
    const kept = matching(join(image, "data"), /outside-/).find((path) => readFileSync(path, "utf8") === lost);
    expect(kept).toBeDefined();
    expect(warnings.join("\n")).toContain(`It is kept as ${kept}; if you miss it, rename it back.`);
    expect(filesIn(join(image, "data")).filter((name) => name.endsWith(".former"))).toEqual([]);
  });
}
