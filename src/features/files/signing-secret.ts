import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { keepOwnFile, ownFile, writeOwnFile } from "../../store/file/own-folder.ts";

const KIND = "file-signatures";
const BYTES = 32;

/**
 * The secret that signs addresses of files, in `.standin/`, readable by the owner alone: addresses outlive a restart.
 * Without a place it is new with each start.
 */
export function signingSecret(place: string | undefined): Uint8Array {
  const made = randomBytes(BYTES);
  if (place === undefined) return made;
  const text = `${made.toString("base64url")}\n`;
  // Another server of the same folder may be faster.
  keepOwnFile(place, KIND, text);
  const kept = readSecret(place);
  if (kept) return kept;
  // A process ended while it wrote the file.
  writeOwnFile(place, KIND, text);
  return made;
}

function readSecret(place: string): Uint8Array | undefined {
  const secret = Buffer.from(readFileSync(ownFile(place, KIND), "utf8"), "base64url");
  return secret.length === BYTES ? secret : undefined;
}
