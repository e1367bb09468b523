import { readFileSync, statSync } from "node:fs";
import { messageOf, StartError } from "../../../base/errors.ts";
import { fileProblem } from "../../../base/files/file-problem.ts";
import { maskAddress, maskText } from "../../../base/secrets/mask-text.ts";

/** Larger documents would take the memory of a start many times over. */
const MAX_MEGABYTES = 32;
const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 10;

/** A file or an address that a document may not show: its content would go to every client. */
export class OutsideReference extends Error {}

export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

export function readFile(file: string): string {
  try {
    const facts = statSync(file);
    if (!facts.isFile()) throw new Error("it is not a file.");
    if (facts.size > MAX_MEGABYTES * 2 ** 20) throw new Error(tooLarge(`it has ${Math.ceil(facts.size / 2 ** 20)} MB`));
    return readFileSync(file, "utf8");
  } catch (thrown) {
    throw new StartError(`${file} cannot be read: ${fileProblem(thrown)}`);
  }
}

/** Calls `expect` with the address, and with each that it redirects to; it throws for one that must not be read. */
export async function fetchText(address: string, expect?: (address: string) => Promise<void>): Promise<string> {
  try {
    const response = await load(address, expect);
    if (!response.ok) throw new Error(`the response is ${response.status} ${response.statusText}.`);
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of response.body ?? []) {
      bytes += piece.length;
      if (bytes > MAX_MEGABYTES * 2 ** 20) throw new Error(tooLarge("it is larger"));
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString("utf8");
  } catch (thrown) {
    if (thrown instanceof OutsideReference) throw thrown;
    const cause = thrown instanceof Error && thrown.cause ? ` (${messageOf(thrown.cause)})` : "";
    throw new StartError(`${maskAddress(address)} cannot be loaded: ${maskText(messageOf(thrown))}${cause}`);
  }
}

async function load(address: string, expect: ((address: string) => Promise<void>) | undefined): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = { accept: "application/json, application/yaml, */*" };
  let next = address;
  for (let count = 0; count <= MAX_REDIRECTS; count++) {
    await expect?.(next);
    const response = await fetch(next, { headers, signal, redirect: "manual" });
    const location = response.status < 300 || response.status >= 400 ? null : response.headers.get("location");
    if (location === null) return response;
    await response.body?.cancel();
    next = new URL(location, next).href;
  }
  throw new Error(`it redirects more than ${MAX_REDIRECTS} times.`);
}

function tooLarge(fact: string): string {
  return `${fact}, and at most ${MAX_MEGABYTES} MB are read. Split it, or take long bodies out.`;
}
