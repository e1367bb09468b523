/**
 * Records what Prism answers to every question, for the comparison in prism.test.ts. Prism is too heavy to be a
 * dependency. To record anew, install it anywhere else, and name its program:
 *
 *   npm install --prefix /tmp/prism @stoplight/prism-cli@5.16.0
 *   npx tsx test/hosted/prism/record.ts /tmp/prism/node_modules/@stoplight/prism-cli/dist/index.js
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { somePort } from "../../support/some-port.ts";
import { QUESTIONS, type Question, titleOf } from "./questions.ts";

const program = process.argv[2];
if (program === undefined) throw new Error("Name the program of Prism; the comment in this file says how to get it.");

const answers: Record<string, { status: number; body: string }> = {};
for (const document of new Set(QUESTIONS.map((question) => question.document))) {
  const file = resolve("test/hosted/fixtures", document);
  const port = somePort();
  const prism = spawn(process.execPath, [program, "mock", "--port", String(port), file], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilAnswering(url, prism);
    for (const question of QUESTIONS.filter((one) => one.document === document)) {
      answers[titleOf(question)] = await ask(url, question);
    }
  } finally {
    prism.kill();
    await once(prism, "close");
  }
}
writeFileSync("test/hosted/fixtures/prism-answers.json", `${JSON.stringify(answers, null, 2)}\n`);

async function untilAnswering(url: string, { exitCode }: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (exitCode !== null) throw new Error(`Prism ended with ${exitCode}`);
    if (
      await ask(url, { line: "GET /" }).then(
        () => true,
        () => false,
      )
    )
      return;
    await sleep(100);
  }
  throw new Error("Prism did not answer.");
}

/** Not by fetch, which adds headers of its own. */
async function ask(
  url: string,
  { line, headers = {}, body }: Omit<Question, "document">,
): Promise<{ status: number; body: string }> {
  const [method = "GET", path = "/"] = line.split(" ");
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const implied = bytes ? { "content-type": "application/json", "content-length": bytes.length } : {};
  const asked = request(url + path, { method, headers: { ...implied, ...headers }, agent: false });
  asked.end(bytes);
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}
