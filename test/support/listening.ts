import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { Run } from "./cli.ts";

/** Before the name of a program that prints no address, and with a fourth pipe: Node tells where it listens. */
export const TELLING = ["--import", pathToFileURL(resolve("test/support/tell-port.mjs")).href];
/** With this, a program gets a free port whichever it wants. */
export const ANY_PORT = { STANDIN_TEST_ANY_PORT: "1" };
export const TOLD: { stdio: "pipe"[] } = { stdio: ["pipe", "pipe", "pipe", "pipe"] };

export interface Listening {
  readonly wanted: number;
  readonly port: number;
}

/** The port on which a program first listens. No other process can have it, so a response there comes from that program. */
export async function listeningOf({ child, output, exit }: Run): Promise<Listening> {
  const lines = createInterface({ input: child.stdio[3] as Readable });
  const [line] = await Promise.race([once(lines, "line"), once(lines, "close")]);
  if (line !== undefined) return JSON.parse(line) as Listening;
  await exit;
  throw new Error(`The program ended before it listened:\n${output.stdout}${output.stderr}`);
}
