import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Hosted } from "../../src/hosted/hosted.ts";
import { createHostedHandler } from "../../src/hosted/hosted-handler.ts";
import { loadExamples } from "../../src/hosted/load.ts";
import { Routes } from "../../src/hosted/routes.ts";
import { noRewriting } from "../../src/http/edge.ts";
import { listen } from "../../src/http/server.ts";
import { DEFAULT_SETTINGS } from "../../src/http/settings.ts";
import type { Reporter } from "../../src/reporter.ts";
import { Waits } from "../../src/wait.ts";
import { type Api, askAt } from "./api.ts";
import { createFolder, type Served } from "./cli.ts";
import { addressOf, runKept } from "./kept-process.ts";

/** A fault that a request brought to light fails its test. */
const reporter: Reporter = {
  note() {},
  warn() {},
  fault(text, thrown) {
    throw new Error(text, { cause: thrown });
  },
  request: undefined,
};

/** Serves a file of examples, or the built-in ones, until `close` is called. */
export async function openHosted(
  file: string | undefined,
  seed = 1,
  request?: Reporter["request"],
  environment?: string,
): Promise<Api & { close(): Promise<void> }> {
  const { examples, unanswered } = await loadExamples(file, { seed, environment });
  const hosted = new Hosted(new Routes(examples, true), unanswered);
  const edge = {
    rewriter: noRewriting,
    steps: [],
    reporter: { ...reporter, request },
    settings: { ...DEFAULT_SETTINGS, jsonp: false },
    waits: new Waits(),
  };
  const { url, port, close } = await listen(await createHostedHandler(edge, hosted), { host: "127.0.0.1", port: 0 });
  return { url, port, close, ask: (line, request) => askAt(url, line, request) };
}

/** The same for one test; content is written to a file of that name first. */
export async function startHosted(content?: unknown, name = "examples.json"): Promise<Api> {
  const file = content === undefined ? undefined : join(createFolder({ [name]: content }), name);
  const hosted = await openHosted(file);
  onTestFinished(() => hosted.close());
  return hosted;
}

/** Starts `standin hosted` as people do, and waits until it says its address. */
export async function serveHosted(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const run = runKept(["hosted", ...args, "--port", "0"], folder, env);
  const url = await addressOf(run);
  const stop = (): Promise<number | null> => {
    run.child.kill("SIGTERM");
    return run.exit;
  };
  return { ...run, url, stop };
}
