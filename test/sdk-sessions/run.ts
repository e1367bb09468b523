/**
 * `npm run soak:sdks -- [<folder>] [--generators <folder>] [--only <name>]`: lets real SDKs and generated clients
 * work with standin, and prints which of their steps succeed. The folder holds the documents of the vendors, such as
 * `stripe.yaml`; what it lacks is served from the reductions in `documents/`.
 */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { messageOf } from "../../src/base/errors.ts";
import { startStandin } from "../documents/servers.ts";
import { type AnySession, serverPath, sessions, startSession, vendorSessions } from "./sessions.ts";

const here = dirname(fileURLToPath(import.meta.url));
const {
  values,
  positionals: [documents],
} = parseArgs({
  allowPositionals: true,
  options: {
    generators: { type: "string", default: join(here, "generators") },
    only: { type: "string" },
  },
});

const lines: string[] = [];
for (const session of [...sessions, ...(documents === undefined ? [] : vendorSessions)]) {
  if (values.only !== undefined && !`${session.sdk} ${session.document}`.includes(values.only)) continue;
  try {
    lines.push(await tell(session));
  } catch (thrown) {
    lines.push(`${session.sdk.padEnd(16)} failed: ${messageOf(thrown)}`);
  }
}
process.stdout.write(`\n${lines.join("\n")}\n`);

async function tell(session: AnySession): Promise<string> {
  const given = documents && documentIn(documents, session.document);
  const file = given ?? documentIn(join(here, "documents"), session.document);
  if (!file) throw new Error(`there is no document ${session.document}`);
  const server = await startStandin([file]);
  try {
    const url = `${server.url.replace(/\/$/, "")}${await serverPath(session, file)}`;
    const generators = existsSync(join(values.generators, "node_modules")) ? values.generators : undefined;
    const { tool, results } = await startSession(session, { file, url, generators });
    const failed = results.filter(({ failure }) => failure !== undefined);
    const source = given ? "the vendor's document" : "a reduction";
    const title = `${tool.padEnd(16)} ${String(results.length - failed.length).padStart(2)} of ${results.length} steps, ${source}`;
    process.stdout.write(`${[title, ...failed.map(({ name, failure }) => `  ${name}: ${failure}`)].join("\n")}\n`);
    return title;
  } finally {
    await server.stop();
  }
}

function documentIn(folder: string, name: string): string | undefined {
  const file = readdirSync(folder).find((one) => /^(.*)\.(json|ya?ml)$/.exec(one)?.[1] === name);
  return file && join(folder, file);
}
