import { once } from "node:events";
import { createFolder, type Run } from "../support/cli.ts";
import { serveQuietly } from "../support/kept-process.ts";

/** A standin process on a shared database. */
export interface Process extends Run {
  readonly url: string;
}

/** Starts the built command line on a database, with 100 products and 100 companies if it is empty. */
export function startProcess(
  database: string,
  schema: string,
  more: readonly string[] = [],
  config: object = {},
): Promise<Process> {
  const folder = createFolder({ "standin.json": config });
  return serveQuietly([database, "--schema", schema, "--sample", "products", ...more], folder);
}

export async function kill({ child }: Run): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}
