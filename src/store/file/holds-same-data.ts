import { createHash } from "node:crypto";
import { parseExact } from "../../base/json/exact/parse.ts";
import { stringifyJson } from "../../base/json/exact/stringify.ts";
import { reliableFingerprint } from "./fingerprint.ts";
import type { ReplacedFile } from "./replaced/replaced-file.ts";

/** Larger files are kept without a look at their content. */
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Whether an outside version of a file says the same as the text that replaces it, but for its layout: a program has read
 * it and written its content to the store. Then it is no conflict, and expected from now on.
 */
export function holdsSameData(replaced: ReplacedFile, text: () => string): boolean {
  const { held } = replaced;
  const stats = held.stat();
  if (stats.size > MAX_BYTES) return false;
  const content = held.read();
  try {
    if (`${stringifyJson(parseExact(content.toString()), 2)}\n` !== text()) return false;
  } catch {
    return false;
  }
  replaced.expected = {
    hash: createHash("sha256").update(content).digest("hex"),
    fingerprint: reliableFingerprint(stats),
  };
  return true;
}
