import { StandinError } from "../base/errors.ts";
import { constants } from "../base/platform/buffer.ts";

/** The longest text that JavaScript can hold: no larger file can be read, and no larger change be written. */
export const MAX_TEXT = constants.MAX_STRING_LENGTH;

/** The error for a write that leaves more data than a start can read, or is longer than a text can be. */
export function dataTooLarge(subject: string, bytes: number | undefined, max: number): StandinError {
  const size = bytes === undefined ? `more than ${max} bytes` : `${bytes} bytes; at most ${max} can be loaded again`;
  return new StandinError(
    "DATA_TOO_LARGE",
    `${subject} would have ${size}. ` +
      "Nothing was changed; remove data first, change fewer or smaller records at a time, or move to PostgreSQL (standin import).",
  );
}

/** Whether an error says that a text would be longer than JavaScript can hold. */
export function isTooLong(thrown: unknown): boolean {
  return thrown instanceof RangeError && thrown.message === "Invalid string length";
}
