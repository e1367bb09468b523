import { once } from "node:events";
import { CLI, createFolder, type Run, runCli } from "../support/cli.ts";
import { freePort } from "../support/free-port.ts";

/** A standin process on a shared database. */
export interface Process extends Run {
  readonly url: string;
}

/** Starts the built command line on a database, at a given port or a free one, and waits until it answers. */
export async function startProcess(
  database: string,
  schema: string,
  more: readonly string[] = [],
  config: object = {},
): Promise<Process> {
  const port = await freePort();
  const folder = createFolder({ "standin.json": config });
  const run = runCli([database, "--schema", schema, "--port", String(port), "--quiet", ...more], folder);
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (run.child.exitCode !== null) throw new Error(`${CLI} ended early:\n${run.output.stdout}${run.output.stderr}`);
    const status = await fetch(`${url}/health-check`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return { ...run, url };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function kill({ child }: Run): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}
