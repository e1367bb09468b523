import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Baseline } from "../../src/app/baseline.ts";
import { closeService } from "../../src/app/open-service.ts";
import type { Reporter } from "../../src/base/reporter.ts";
import { resolveHostedOptions } from "../../src/commands/hosted-options.ts";
import { openHostedService, openHostedSource } from "../../src/commands/hosted-server.ts";
import { createHandler } from "../../src/http/node/handler.ts";
import { listen } from "../../src/http/node/server.ts";
import { stopServing } from "../../src/http/node/stop.ts";
import { type Api, askAt } from "./api.ts";
import { createFolder, type Served } from "./cli.ts";
import { addressOf, runKept } from "./kept-process.ts";

/** A fault that a request brought to light fails its test. */
const reporter: Reporter = {
  note() {},
  done() {},
  warn() {},
  fault(text, thrown) {
    throw new Error(text, { cause: thrown });
  },
  request: undefined,
};

type OpenApi = Api & { close(): Promise<void> };

/** Serves a file of examples, or the built-in ones, until `close` is called. */
export async function openHosted(
  file: string | undefined,
  seed = 1,
  request?: Reporter["request"],
  environment?: string,
): Promise<OpenApi> {
  const args = [file, "--seed", String(seed), ...(environment === undefined ? [] : ["--environment", environment])];
  return openHostedWith(
    args.filter((arg) => arg !== undefined),
    { ...reporter, request },
  );
}

/** The same with the arguments of `standin hosted`, for a file or a folder; `check` looks for changes, as `--watch` does. */
export async function openHostedWith(
  args: readonly string[],
  given: Reporter = reporter,
): Promise<OpenApi & { check(): Promise<void> }> {
  const { options, configFile, file } = resolveHostedOptions(args, tmpdir(), {});
  const source = await openHostedSource(file, options, given);
  const service = await openHostedService(source.mocks, { options, configFile, reporter: given, note: () => {} });
  const followed = source.follow(service, new Baseline(file === undefined ? [] : [file]));
  const listening = await listen(await createHandler(service), { host: "127.0.0.1", port: 0 });
  const { url, port } = listening;
  return {
    url,
    port,
    ask: (line, request) => askAt(url, line, request),
    check: async () => {
      for (const { check } of followed) await check();
    },
    close: async () => {
      await stopServing([service], listening, "process");
      await closeService(service);
    },
  };
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
