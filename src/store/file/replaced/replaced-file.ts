import { fingerprintFrom } from "../fingerprint.ts";
import type { ObservedFile } from "../read-data-file.ts";
import { type HeldFile, hashOf } from "./held-file.ts";

/** A data file that a save replaces or has replaced. */
export interface ReplacedFile {
  readonly held: HeldFile;
  readonly file: string;
  /** Its expected content, as long as no outside program writes to it. */
  expected: ObservedFile;
  /** Another file has its name now. */
  readonly isReplaced?: boolean;
  /** A killed process left it, and no data file belongs to it: it may be the only copy of one. */
  readonly isLost?: boolean;
  /** It was given a name that users find, and stays. */
  isKept?: boolean;
}

/** Whether both are names of the same file. */
export function isSame(one: ReplacedFile, other: ReplacedFile): boolean {
  return one.held.identity() === other.held.identity();
}

/** Whether a file's content differs from the expected one. Reads the file only if its fingerprint differs. */
export function isChanged({ held, expected }: ReplacedFile): boolean {
  return fingerprintFrom(held.stat()) !== expected.fingerprint && hashOf(held) !== expected.hash;
}

export function isPresent({ held }: ReplacedFile): boolean {
  try {
    held.stat();
    return true;
  } catch {
    return false;
  }
}
