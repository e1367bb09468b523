import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import { sessions, startSession } from "./sessions.ts";

/** Reductions of the vendors' documents, in their style, to what the steps need. */
const documents = join(dirname(fileURLToPath(import.meta.url)), "documents");

/** Steps that do not work yet. */
const NOT_YET: Record<string, readonly string[]> = {};

for (const file of readdirSync(documents)) {
  const name = file.replace(/\.\w+$/, "");
  const session = sessions.find(({ document }) => document === name);
  if (!session) throw new Error(`no session works with ${file}`);
  test(`${session.sdk} works with the document ${name}`, async () => {
    const source = join(documents, file);
    const standin = await createStandin({ source });
    onTestFinished(() => standin.close());
    const { results } = await startSession(session, { file: source, url: standin.url });
    const failed = results.filter((one) => one.failure !== undefined && !NOT_YET[name]?.includes(one.name));
    expect(failed).toEqual([]);
    expect(results.length).toBeGreaterThan(10);
  });
}
