import { join } from "node:path";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { createStandin, type Standin, type StandinOptions } from "../../../src/index.ts";
import { type Answer, type AskOptions, askAt } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { afterEachFile } from "../../support/leftovers.ts";

export interface Served {
  ask(line: string, options?: AskOptions): Promise<Answer>;
  readonly standin: Standin;
  readonly warnings: readonly string[];
  /** The document's file. */
  readonly file: string;
}

const open: Standin[] = [];

/** Serves a document until the tests of the file have ended. */
export async function serve(document: JsonObject, options: Partial<StandinOptions> = {}): Promise<Served> {
  const source = join(createFolder({ "api.json": document }), "api.json");
  const warnings: string[] = [];
  const standin = await createStandin({ source, warn: (text) => warnings.push(text), ...options } as StandinOptions);
  open.push(standin);
  return { standin, warnings, file: source, ask: (line, request) => askAt(standin.url, line, request) };
}

/** The same in a sandbox, so that cases do not meet. */
export function apart({ standin }: Served): Served["ask"] {
  const { url } = standin.sandbox();
  const prefix = new URL(url).pathname;
  return (line, request) => askAt(standin.url, line.replace(" /", ` ${prefix}/`), request);
}

afterEachFile(async () => {
  for (const standin of open.splice(0)) await standin.close();
});
