import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as standin from "../../src/index.ts";
import { catalog } from "../support/catalog.ts";
import { overHttp, sendCorpus } from "../support/request-corpus.ts";

const CLOCK = "2026-01-01T00:00:00.000Z";

/** A module that the servers of Bun, Deno and edge platforms take. */
export function handlerModule(): string {
  return [
    'import { createFetch } from "standin/fetch";',
    `const api = await createFetch(${JSON.stringify({ data: catalog(), clock: CLOCK })});`,
    "export default { fetch: api.fetch };",
  ].join("\n");
}

/** Puts the built package where a module in the folder finds it, with its dependencies. */
export function installPackage(place: string, folder: string): void {
  const modules = join(folder, "node_modules");
  writeFileSync(join(folder, "package.json"), '{ "dependencies": { "standin": "*" } }');
  for (const part of ["package.json", "dist/web"]) {
    cpSync(join(place, part), join(modules, "standin", part), { recursive: true });
  }
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: object };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(modules, name), "junction");
  }
}

/** Sends the corpus of requests there and to a server on Node: the responses must be the same to the letter. */
export async function expectSameResponses(place: string, url: string): Promise<void> {
  const { createStandin } = (await import(pathToFileURL(join(place, "dist/index.js")).href)) as typeof standin;
  const server = await createStandin({ data: catalog(), clock: CLOCK });
  const onNode = await sendCorpus(overHttp(server.port));
  await server.close();
  assert.deepEqual(await sendCorpus(overHttp(Number(new URL(url).port))), onNode);
}
