import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import { serverPath, sessions, startSession } from "./sessions.ts";

/** Reductions of the vendors' documents, in their style, to what the steps need. */
const documents = join(dirname(fileURLToPath(import.meta.url)), "documents");

/** Steps of a session that fail, or that the reduction of its document has no operation for. */
const FAILING: Record<string, readonly string[]> = {};

/** Generated clients are left to `npm run soak:sdks`: openapi-fetch makes their calls here. */
test.each(sessions.map((session) => [session.document, session] as const))("%s", async (document, session) => {
  const file = join(documents, `${document}.yaml`);
  const standin = await createStandin({ source: file });
  onTestFinished(() => standin.close());
  const url = `${standin.url.replace(/\/$/, "")}${await serverPath(session, file)}`;
  const { results } = await startSession(session, { file, url });
  const failed = results.filter(({ failure }) => failure !== undefined);
  const known = FAILING[document] ?? [];
  expect(failed.filter(({ name }) => !known.includes(name))).toEqual([]);
  expect(failed.length).toBe(known.length);
  expect(results.length).toBeGreaterThan(10);
});
