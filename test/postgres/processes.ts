import { once } from "node:events";
import { createFolder, type Run } from "../support/cli.ts";
import { serveQuietly } from "../support/kept-process.ts";

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
  return serveQuietly([database, "--schema", schema, ...more], folder);
}

export async function kill({ child }: Run): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}
