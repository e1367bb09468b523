import { onTestFinished } from "vitest";
import type { Served } from "../../support/cli.ts";
import { serveKept } from "../../support/kept-process.ts";

/** Starts the command line for one test; the next one finds its process free. */
export async function serveForTest(args: readonly string[], folder: string): Promise<Served> {
  const served = await serveKept(args, folder);
  onTestFinished(async () => {
    await served.stop();
  });
  return served;
}
