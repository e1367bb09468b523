import { type Stats, statSync } from "node:fs";

/**
 * A file's inode, size and modification time. The same fingerprint means the same content; with another one, the file
 * must be read to know.
 */
export type Fingerprint = string;

/** The fingerprint of a file that does not exist. */
export const NO_FINGERPRINT: Fingerprint = "";

/** No file has this fingerprint, so the next comparison reads the file. */
const UNSURE = "unsure";

/** File systems count modification times in ticks: two writes within one tick have the same time. */
const TICK_MS = 12;
/** Some count whole seconds, or every second one. */
const COARSE_TICK_MS = 2100;

export function fingerprintOf(path: string): Fingerprint {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? fingerprintFrom(found) : NO_FINGERPRINT;
}

export function fingerprintFrom({ ino, size, mtimeMs }: Pick<Stats, "ino" | "size" | "mtimeMs">): Fingerprint {
  return `${ino}.${size}.${mtimeMs}`;
}

/** Whether two fingerprints belong to the same file (inode), regardless of its content. */
export function isSameFile(one: Fingerprint, other: Fingerprint): boolean {
  return one.split(".", 1)[0] === other.split(".", 1)[0];
}

/** A fingerprint to remember: every later change of the file gives it another one. */
export function reliableFingerprint(stats: Pick<Stats, "ino" | "size" | "mtimeMs">): Fingerprint {
  const tick = stats.mtimeMs % 1000 === 0 ? COARSE_TICK_MS : TICK_MS;
  return Math.abs(Date.now() - stats.mtimeMs) < tick ? `${stats.ino}.${UNSURE}` : fingerprintFrom(stats);
}

export function reliableFingerprintOf(path: string): Fingerprint {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? reliableFingerprint(found) : NO_FINGERPRINT;
}
