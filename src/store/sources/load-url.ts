import { messageOf, StartError } from "../../base/errors.ts";
import { duplicateMessage, findDuplicateKey } from "../../base/json/duplicate-keys.ts";
import { type Json, parseJson } from "../../base/json/json.ts";
import { maskAddress, maskText } from "../../base/secrets/mask-text.ts";

const TIMEOUT_MS = 30_000;

/** Texts that were loaded to find out what they are, until they are served. */
const ahead = new Map<string, string>();

/** Loads the text at an address for a start that may serve it. */
export async function loadAhead(source: string): Promise<string> {
  const text = await loadText(source);
  ahead.set(source, text);
  return text;
}

export function forgetAhead(source: string): void {
  ahead.delete(source);
}

/** Loads the JSON document at an http(s) URL. */
export async function loadUrl(source: string): Promise<Json> {
  try {
    const text = ahead.get(source) ?? (await loadText(source));
    forgetAhead(source);
    const value = parseJson(text);
    const twice = findDuplicateKey(text, value);
    if (twice) throw new StartError(`it ${duplicateMessage(twice)}`);
    return value;
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause ? ` (${messageOf(thrown.cause)})` : "";
    throw new StartError(`${maskAddress(source)} cannot be loaded: ${maskText(messageOf(thrown))}${cause}`);
  }
}

async function loadText(source: string): Promise<string> {
  const response = await fetch(source, {
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new StartError(`the response was ${response.status} ${response.statusText}.`);
  return response.text();
}
