import { ERRORS, type ErrorCode } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import type { LayerTraits } from "../../layers/layer.ts";
import { json, objectOf, reference, TEXT } from "./parts.ts";
import { violationsSchema } from "./violations-schema.ts";

/** Errors of any request. */
const ANYWHERE: readonly ErrorCode[] = ["PATH_MALFORMED", "REQUEST_MALFORMED", "INTERNAL_ERROR"];

const BODY: readonly ErrorCode[] = [
  "BODY_MALFORMED",
  "BODY_NOT_OBJECT",
  "BODY_TOO_DEEP",
  "KEY_FORBIDDEN",
  "BODY_TOO_LARGE",
  "BODY_TYPE_UNSUPPORTED",
  "STORE_UNAVAILABLE",
];

/** Of requests that take an `Idempotency-Key`. */
const ONCE: readonly ErrorCode[] = ["IDEMPOTENCY_KEY_INVALID", "IDEMPOTENCY_MISMATCH"];

const BY_FILTER: readonly ErrorCode[] = [
  "QUERY_INVALID",
  "QUERY_FIELD_UNKNOWN",
  "FILTER_REQUIRED",
  "MAX_AFFECTED",
  "MATCH_HEADER_INVALID",
];

/** Refusals by what is done. */
export const REFUSALS = {
  list: ["QUERY_INVALID", "QUERY_FIELD_UNKNOWN"],
  read: ["RECORD_NOT_FOUND", "QUERY_INVALID", "QUERY_FIELD_UNKNOWN"],
  create: [...BODY, ...ONCE, "ID_INVALID", "ID_TAKEN", "UPSERT_AMBIGUOUS", "QUERY_INVALID"],
  "patch-many": [...BODY, ...ONCE, ...BY_FILTER, "PATCH_INVALID", "PATCH_FAILED"],
  "remove-many": [...BY_FILTER, "STORE_UNAVAILABLE"],
  update: [...BODY, "ID_INVALID", "RECORD_NOT_FOUND", "RECORD_CHANGED"],
  patch: [...BODY, ...ONCE, "ID_INVALID", "RECORD_NOT_FOUND", "RECORD_CHANGED", "PATCH_INVALID", "PATCH_FAILED"],
  remove: ["RECORD_NOT_FOUND", "RECORD_CHANGED", "QUERY_INVALID", "STORE_UNAVAILABLE"],
  "read-singleton": ["QUERY_INVALID", "QUERY_FIELD_UNKNOWN"],
  singleton: [...BODY, "RECORD_CHANGED"],
  "create-singleton": [...BODY, ...ONCE, "RECORD_CHANGED"],
  "patch-singleton": [...BODY, ...ONCE, "RECORD_CHANGED", "PATCH_INVALID", "PATCH_FAILED"],
  batch: [
    ...BODY,
    ...ONCE,
    "BATCH_INVALID",
    "BATCH_REFERENCE_INVALID",
    "BATCH_UNAVAILABLE",
    "RECORD_NOT_FOUND",
    "METHOD_NOT_ALLOWED",
    "ID_TAKEN",
    "RECORD_CHANGED",
  ],
  own: [],
} as const satisfies Record<string, readonly ErrorCode[]>;

export type Doing = keyof typeof REFUSALS;

/** Thrown when a program creates a service, so no response has them. */
const AT_CREATION: readonly ErrorCode[] = ["OPTION_UNAVAILABLE", "RULES_UNAVAILABLE"];

/** Refusals by the rules that records must keep. */
const BY_RULES: readonly ErrorCode[] = ["RECORD_INVALID", "RECORD_REFERENCED"];

/** The error responses by status, and `default` for all others. */
export function refusals(doing: readonly ErrorCode[], layers: readonly LayerTraits[]): JsonObject {
  const statuses = [...doing, ...layers.flatMap(({ codes = [] }) => codes), ...ANYWHERE].map(
    (code) => ERRORS[code].status,
  );
  const unique = [...new Set(statuses)].sort((a, b) => a - b);
  const isRuled = doing.includes("RECORD_INVALID");
  const nameOf = (status: number): string =>
    isRuled && status === ERRORS.RECORD_INVALID.status ? "RecordInvalid" : `Error${status}`;
  const entries = unique.map((status) => [String(status), reference("responses", nameOf(status))] as const);
  return { ...Object.fromEntries(entries), default: reference("responses", "Error") };
}

/** One response for each status, with its error codes, except those of layers that are not listed and of absent rules. */
export function errorResponses(ofOtherLayers: readonly ErrorCode[], hasRules: boolean): JsonObject {
  const absent = new Set<string>([...ofOtherLayers, ...AT_CREATION]);
  if (!hasRules) for (const code of BY_RULES) absent.add(code);
  const byStatus = new Map<number, string[]>();
  for (const [code, { status }] of Object.entries(ERRORS)) {
    if (!absent.has(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses = [...byStatus].map(([status, codes]) => [`Error${status}`, errorResponse(codes)] as const);
  const invalid = byStatus.get(ERRORS.RECORD_INVALID.status) ?? [];
  return {
    ...Object.fromEntries(responses),
    ...(hasRules && { RecordInvalid: errorResponse(invalid, { errors: violationsSchema() }) }),
    Error: { description: "Anything else that may go wrong", ...json(reference("schemas", "Error")) },
  };
}

function errorResponse(codes: readonly string[], more: JsonObject = {}): JsonObject {
  const titles = new Set(codes.map((code) => ERRORS[code as ErrorCode].title));
  const schema = { allOf: [reference("schemas", "Error"), { properties: { code: { enum: [...codes] }, ...more } }] };
  return { description: [...titles].join("; "), ...json(schema) };
}

export function errorSchema(): JsonObject {
  const error = { ...TEXT, description: "A short title." };
  return {
    ...objectOf({ error, message: TEXT, code: { ...TEXT, enum: Object.keys(ERRORS) } }),
    description: "The body of every error. The message says what to change; branch on the code.",
  };
}
