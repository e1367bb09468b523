import { afterAll, beforeAll, onTestFinished } from "vitest";
import { createFolder, type Served } from "../../support/cli.ts";
import { serveKept as serveByCommand } from "../../support/kept-process.ts";
import { IS_DEMO, serveDemo } from "./demo.ts";

const serveKept = IS_DEMO ? serveDemo : serveByCommand;

/** Starts the command line for one test; the next one finds its process free. */
export async function serveForTest(args: readonly string[], folder: string): Promise<Served> {
  const served = await serveKept(args, folder);
  onTestFinished(async () => {
    await served.stop();
  });
  return served;
}

/**
 * One server for all tests of a file that change nothing but data; each gets it as it was started. A browser that knows
 * the address has the console already.
 */
export function serveForFile(args: readonly string[], files: Readonly<Record<string, unknown>>): () => Promise<string> {
  let served: Served;
  beforeAll(async () => {
    served = await serveKept(args, createFolder(files));
  });
  afterAll(() => served.stop());
  return async () => {
    for (const [method, path] of Object.entries({ POST: "/__reset", DELETE: "/__requests" })) {
      const response = await fetch(served.url + path, { method });
      if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    }
    return served.url;
  };
}
