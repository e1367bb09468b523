import { once } from "node:events";
import { createFolder, listening, type Run, runTelling } from "../support/cli.ts";

/** A standin process on a shared database. */
export interface Process extends Run {
  readonly url: string;
}

/** Starts the built command line on a database and waits until it listens. */
export function startProcess(
  database: string,
  schema: string,
  more: readonly string[] = [],
  config: object = {},
): Promise<Process> {
  const folder = createFolder({ "standin.json": config });
  const address = ["--host", "127.0.0.1", "--port", "0"];
  return listening(runTelling([database, "--schema", schema, ...address, "--quiet", ...more], folder));
}

export async function kill({ child }: Run): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}
