import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { createReporter, createTerminal } from "../../src/commands/terminal.ts";
import { createFolder, runCli } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";

const EVIL = "\u001b[2J\u001b]0;owned\u0007\u009b31m\r\u202egnp";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not arrive
const COMMANDS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;

/** A terminal, and the text that it got. */
function terminalWith(env: NodeJS.ProcessEnv) {
  const stream = new PassThrough();
  const out = stream as unknown as NodeJS.WriteStream;
  const terminal = createTerminal({ out, err: out, env, argv: [] });
  return { terminal, printed: () => String(stream.read() ?? "") };
}

describe("escape codes of texts", () => {
  test("are shown, not sent, by everything that prints", () => {
    const { terminal, printed } = terminalWith({});
    const reporter = createReporter(terminal, false);
    terminal.print(EVIL);
    terminal.error(terminal.style("red", EVIL));
    reporter.warn(EVIL);
    reporter.note(EVIL);
    reporter.done(EVIL);
    reporter.fault(EVIL, new Error(EVIL));
    const text = printed();
    expect(text).not.toMatch(COMMANDS);
    expect(text).toContain("\\u001b[2J");
  });

  test("also in colour, where only our own styles are sent", () => {
    const { terminal, printed } = terminalWith({ FORCE_COLOR: "1" });
    terminal.print(`${terminal.style("red", "bad")} \u001b[31mred\u001b[39m`);
    expect(printed()).toBe("\u001b[31mbad\u001b[39m \\u001b[31mred\\u001b[39m\n");
  });

  test("of the title of an OpenAPI document at a start", async () => {
    const document = { openapi: "3.0.3", info: { title: `Pets ${EVIL}`, version: EVIL }, paths: {} };
    const server = await serveKept(["api.json"], createFolder({ "api.json": document }));
    expect(server.output.stdout).not.toMatch(COMMANDS);
    await server.stop();
  });

  test("of file names and values in errors and in the doctor", async () => {
    const folder = createFolder({
      "package.json": { scripts: { [`mock${EVIL}`]: `json-server --bad${EVIL} db${EVIL}.json` } },
    });
    const doctor = runCli(["doctor"], folder);
    await doctor.exit;
    const start = runCli([`missing${EVIL.replaceAll("\u0000", "")}.txt`], folder);
    await start.exit;
    for (const { output } of [doctor, start]) expect(`${output.stdout}${output.stderr}`).not.toMatch(COMMANDS);
  });
});
