import { messageOf, StandinError } from "../../base/errors.ts";

/** Says why the browser has stored nothing. */
export function refuseWrite(thrown: unknown): never {
  if (thrown instanceof StandinError) throw thrown;
  const { name } = thrown as { name?: string };
  const reason = name === "QuotaExceededError" ? "the browser's storage for this site is full" : messageOf(thrown);
  throw new StandinError(
    "STORE_UNAVAILABLE",
    `The change cannot be saved (${reason}). Nothing was changed; remove records, or try again later.`,
    { "Retry-After": "1" },
  );
}
