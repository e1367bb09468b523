import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { createStandin } from "../../src/index.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { exactly, jsonText } from "../support/exact-texts.ts";

/** Saves other records many times, and compares all values with those of the first text. */
export async function expectValuesToSurvive({ values, saves }: { values: number; saves: number }): Promise<void> {
  const texts = fc.sample(jsonText(), { numRuns: values, seed: 34 });
  const records = texts.map((text, at) => `{"id":${at + 1},"value":${text}}`).join(",");
  const file = join(createFolder(), "db.json");
  writeFileSync(file, `{"kept":[${records}],"other":[]}`);
  for (let save = 1; save <= saves; save++) {
    const standin = await createStandin({ source: file, persist: true });
    try {
      expect((await askAt(standin.url, "POST /other", { body: { save } })).status).toBe(201);
    } finally {
      // A stop waits for no pause between saves.
      await standin.close();
    }
  }
  const saved = readFileSync(file, "utf8");
  expect(saved).toContain(`{"save":${saves},"id":${saves}}`);
  expect(exactly(saved)).toContain(exactly(`"kept":[${records}],"other"`));
}
