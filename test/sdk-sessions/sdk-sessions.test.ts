import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { createStandin } from "../../src/index.ts";
import { IS_SOAK } from "../support/soak.ts";
import { serverPath, sessions, startSession } from "./sessions.ts";

/** Reductions of the vendors' documents, in their style, to what the steps need. */
const documents = join(dirname(fileURLToPath(import.meta.url)), "documents");

/** Steps of a session that fail, or that the reduction of its document has no operation for. */
const FAILING: Record<string, readonly string[]> = {};

/** They take longest. In `npm test`, the programs of the guide use their documents. */
const LEFT_TO_SOAK = new Set(["stripe", "openai", "github"]);
const run = sessions.filter(({ document }) => IS_SOAK || !LEFT_TO_SOAK.has(document));

/** Generated clients are left to `npm run soak:sdks`: openapi-fetch makes their calls here. */
test.each(run.map((session) => [session.document, session] as const))("%s", async (document, session) => {
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

/** The programs of the guide, with the document that each works with and what it prints. */
const PROGRAMS = [
  ["stripe.mjs", "stripe", "Ada"],
  ["github.mjs", "github", "It rains"],
  ["openai.mjs", "openai", "Ada"],
  ["twilio.mjs", "twilio", "Hello"],
] as const;

test.each(PROGRAMS)("%s of the guide runs", async (name, document, printed) => {
  const root = join(documents, "../../..");
  const page = readFileSync(join(root, "docs/guide/fake-apis.md"), "utf8");
  const program = page.split(`\`\`\`js ${name}\n`)[1]?.split("```")[0] ?? "";
  const standin = await createStandin({ source: join(documents, `${document}.yaml`) });
  // Where the SDKs are found.
  const folder = join(root, "node_modules/.cache", `guide-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  onTestFinished(async () => {
    await standin.close();
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(join(folder, name), program.replaceAll("3000", new URL(standin.url).port));
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  await import(/* @vite-ignore */ pathToFileURL(join(folder, name)).href);
  expect(log.mock.calls).toEqual([[printed]]);
});
