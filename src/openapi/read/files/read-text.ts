import { readFileSync, statSync } from "node:fs";
import { messageOf, StartError } from "../../../base/errors.ts";
import { maskAddress, maskText } from "../../../base/secrets/mask-text.ts";

/** Larger documents would take the memory of a start many times over. */
const MAX_MEGABYTES = 32;
const TIMEOUT_MS = 10_000;

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
    throw new StartError(`${file} cannot be read: ${messageOf(thrown)}`);
  }
}

export async function readAddress(address: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(address, { headers: { accept: "application/json, application/yaml, */*" }, signal });
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
    const cause = thrown instanceof Error && thrown.cause ? ` (${messageOf(thrown.cause)})` : "";
    throw new StartError(`${maskAddress(address)} cannot be loaded: ${maskText(messageOf(thrown))}${cause}`);
  }
}

function tooLarge(fact: string): string {
  return `${fact}, and at most ${MAX_MEGABYTES} MB are read. Split it, or take long bodies out.`;
}
