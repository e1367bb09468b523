import { StandinError } from "../base/errors.ts";

export function recordNotFound(collection: string, idKey: string, id: string): StandinError {
  return new StandinError(
    "RECORD_NOT_FOUND",
    `${collection} has no record with ${idKey} "${id}". GET /${encodeURIComponent(collection)} lists those it has.`,
  );
}
