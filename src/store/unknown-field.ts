import { StandinError } from "../base/errors.ts";
import { meantName } from "../query/meant-name.ts";

/** The error for a field that no record has, where a request asks for strict handling. */
export function unknownField(collection: string, path: string, fields: readonly string[]): StandinError {
  return refusal(`No record of ${collection} has a field "${path}".`, path, fields);
}

/** The same for a field of a singleton. */
export function unknownSingletonField(name: string, path: string, fields: readonly string[]): StandinError {
  return refusal(`${name} has no field "${path}".`, path, fields);
}

function refusal(reason: string, path: string, fields: readonly string[]): StandinError {
  const meant = meantName(path, fields);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  const listed = fields.length === 0 ? "" : ` Fields: ${fields.join(", ")}.`;
  return new StandinError("QUERY_FIELD_UNKNOWN", `${reason}${hint}${listed}`);
}
