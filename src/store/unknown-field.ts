import { StandinError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import { OPERATOR_NAMES } from "../query/operator-table.ts";
import { PARAMETERS } from "../query/parameters.ts";

/** The error for a field that no record has, where a request asks for strict handling. */
export function unknownField(collection: string, path: string, fields: readonly string[]): StandinError {
  return refusal(`No record of ${collection} has a field "${path}".`, path, fields);
}

/** The same for a field of a singleton. */
export function unknownSingletonField(name: string, path: string, fields: readonly string[]): StandinError {
  return refusal(`${name} has no field "${path}".`, path, fields);
}

function refusal(reason: string, path: string, fields: readonly string[]): StandinError {
  const known = path.startsWith("_") ? [...PARAMETERS, ...fields] : [...fields, ...fields.flatMap(withOperators)];
  const listed = fields.length === 0 ? "" : ` Fields: ${fields.join(", ")}.`;
  return new StandinError("QUERY_FIELD_UNKNOWN", `${reason}${didYouMean(path, known)}${listed}`);
}

function withOperators(field: string): string[] {
  return OPERATOR_NAMES.map((operator) => `${field}:${operator}`);
}
