import { StandinError } from "../../base/errors.ts";

const MAX_LENGTH = 255;
/** A string of RFC 8941, in quotes. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
/** Visible characters without quotes and commas: several headers arrive as one, separated by commas. */
const BARE = /^[!#-+\--~]+$/;

/** Reads the header `Idempotency-Key`. The quotes of the draft standard may be left out, as most clients do. */
export function parseIdempotencyKey(header: string): string {
  const text = header.trim();
  const quoted = QUOTED.exec(text)?.[1]?.replace(/\\(["\\])/g, "$1");
  const key = quoted ?? (BARE.test(text) ? text : "");
  if (key !== "" && key.length <= MAX_LENGTH) return key;
  const problem = key === "" ? "is empty or has other characters" : `has ${key.length} characters`;
  throw new StandinError(
    "IDEMPOTENCY_KEY_INVALID",
    `The Idempotency-Key ${problem}. Send one key of 1 to ${MAX_LENGTH} visible ASCII characters, such as a UUID.`,
  );
}
