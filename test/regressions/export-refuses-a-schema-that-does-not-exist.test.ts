import { readdirSync } from "node:fs";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { exportCommand } from "../../src/commands/export.ts";
import { openStore } from "../../src/store/open-store.ts";
import { storeWith } from "../postgres/database.ts";
import { createFolder } from "../support/cli.ts";

test("a schema that does not exist is named with the one that was meant; nothing is written and nothing is made", async () => {
  const { url, schema } = await storeWith({ notes: [{ id: 1 }] });
  const folder = createFolder();
  const mistyped = `${schema.slice(0, -1)}x`;
  const sql = postgres(url, { max: 1 });
  onTestFinished(() => sql.end());
  const isThere = async (): Promise<boolean> =>
    (await sql`SELECT 1 FROM pg_namespace WHERE nspname = ${mistyped}`).length > 0;

  await expect(exportCommand.run([url, `${folder}/db.json`, "--schema", mistyped])).rejects.toThrow(
    new RegExp(`^There is no schema ${mistyped} with data of standin; there is .*Did you mean "test_`),
  );
  expect(readdirSync(folder)).toEqual([]);
  expect(await isThere()).toBe(false);

  const settings = {
    idKey: "id",
    memory: false,
    durability: "process",
    followsOutside: false,
    warn: () => {},
  } as const;
  await expect(openStore(url, { ...settings, postgres: { schema: mistyped, mustExist: true } })).rejects.toThrow(
    `There is no schema ${mistyped}`,
  );
  expect(await isThere()).toBe(false);

  await exportCommand.run([url, `${folder}/db.json`, "--schema", schema, "--quiet"]);
  expect(readdirSync(folder)).toEqual(["db.json"]);
});
