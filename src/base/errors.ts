/**
 * Every error response, by code. Codes are API: clients branch on them, so a code is never renamed. Code throws a
 * `StandinError`; `http/response/reply.ts` turns it into a response.
 */
export const ERRORS = {
  ACCESS_DENIED: { status: 403, title: "Access denied" },
  API_KEY_INVALID: { status: 403, title: "Invalid API key" },
  API_KEY_MALFORMED: { status: 400, title: "Malformed API key" },
  API_KEY_MISSING: { status: 401, title: "API key required" },
  AUTH_FORBIDDEN: { status: 403, title: "Token not accepted" },
  AUTH_REQUIRED: { status: 401, title: "Token required" },
  BATCH_INVALID: { status: 400, title: "Invalid batch" },
  BATCH_REFERENCE_INVALID: { status: 400, title: "Invalid reference in a batch" },
  BATCH_UNAVAILABLE: { status: 403, title: "Batch unavailable" },
  BODY_MALFORMED: { status: 400, title: "Malformed body" },
  BODY_NOT_OBJECT: { status: 400, title: "Body is not an object" },
  BODY_TOO_DEEP: { status: 400, title: "Body is nested too deeply" },
  BODY_TOO_LARGE: { status: 413, title: "Body too large" },
  BODY_TYPE_UNSUPPORTED: { status: 415, title: "Unsupported body type" },
  BODY_UNREADABLE: { status: 400, title: "Body already used" },
  CLOCK_BUSY: { status: 409, title: "Jobs are left" },
  CLOCK_INVALID: { status: 400, title: "Invalid time" },
  CLOCK_IS_PROGRAM: { status: 409, title: "Clock cannot be moved" },
  COLLECTION_EXISTS: { status: 409, title: "Collection exists" },
  COLLECTION_INVALID: { status: 400, title: "Invalid collection" },
  COLLECTION_LIMIT: { status: 409, title: "Too many collections" },
  COLLECTION_NOT_FOUND: { status: 404, title: "Collection not found" },
  CREDENTIALS_REQUIRED: { status: 401, title: "Credentials required" },
  CROSS_ORIGIN: { status: 403, title: "Cross-origin request refused" },
  CURSOR_INVALID: { status: 400, title: "Invalid cursor" },
  DATA_TOO_LARGE: { status: 413, title: "Data too large" },
  DELIVERY_NOT_FOUND: { status: 404, title: "Delivery not found" },
  DRY_RUN_UNSUPPORTED: { status: 400, title: "Dry run not supported" },
  EMBED_TOO_LARGE: { status: 400, title: "Too many embedded records" },
  EXAMPLE_NOT_FOUND: { status: 404, title: "No example matches" },
  FAULT_INVALID: { status: 400, title: "Invalid fault" },
  FAULT_NOT_FOUND: { status: 404, title: "Fault not found" },
  FAULT_ON_DEMAND: { status: 500, title: "Fault on demand" },
  FIELD_EXISTS: { status: 409, title: "Field exists" },
  FIELD_INVALID: { status: 400, title: "Invalid field" },
  FILES_FULL: { status: 413, title: "No room for more files" },
  FILES_OFF: { status: 404, title: "Files are off" },
  FILE_NOT_FOUND: { status: 404, title: "File not found" },
  FILE_TOO_LARGE: { status: 413, title: "File too large" },
  FILE_UNKNOWN: { status: 422, title: "Unknown file" },
  FILTER_REQUIRED: { status: 400, title: "Filter required" },
  FORBIDDEN_READ: { status: 403, title: "Insufficient permissions" },
  FORBIDDEN_WRITE: { status: 403, title: "Insufficient permissions" },
  HEADERS_TOO_LARGE: { status: 431, title: "Request headers too large" },
  HISTORY_GONE: { status: 410, title: "No longer in the history" },
  HISTORY_INVALID: { status: 400, title: "Invalid moment or version" },
  HISTORY_LOCAL_ONLY: { status: 403, title: "Only from this machine" },
  HISTORY_OFF: { status: 404, title: "History is off" },
  HISTORY_READ_ONLY: { status: 405, title: "The past is read-only" },
  HISTORY_TOO_LARGE: { status: 409, title: "Too large for the history" },
  HISTORY_UNAVAILABLE: { status: 501, title: "Too much data to go back" },
  HOOK_INVALID: { status: 400, title: "Invalid hook" },
  HOOK_NOT_FOUND: { status: 404, title: "Hook not found" },
  HOST_FORBIDDEN: { status: 403, title: "Host not allowed" },
  IDEMPOTENCY_KEY_INVALID: { status: 400, title: "Invalid idempotency key" },
  IDEMPOTENCY_MISMATCH: { status: 422, title: "Idempotency key used for another request" },
  ID_INVALID: { status: 400, title: "Invalid id" },
  ID_TAKEN: { status: 409, title: "Id already taken" },
  INTERCEPTOR_FAILED: { status: 500, title: "Interceptor failed" },
  INTERNAL_ERROR: { status: 500, title: "Internal error" },
  KEY_FORBIDDEN: { status: 400, title: "Forbidden key" },
  LOGIN_FAILED: { status: 401, title: "Login failed" },
  LOGIN_INCOMPLETE: { status: 400, title: "Login is incomplete" },
  MATCH_HEADER_INVALID: { status: 400, title: "Invalid matching header" },
  MAX_AFFECTED: { status: 400, title: "Too many records affected" },
  METHOD_NOT_ALLOWED: { status: 405, title: "Method not allowed" },
  MOCK_UNAVAILABLE: { status: 503, title: "Mock cannot be served" },
  NAME_TAKEN: { status: 409, title: "Name already taken" },
  NOT_ACCEPTABLE: { status: 406, title: "Not acceptable" },
  OPTION_UNAVAILABLE: { status: 501, title: "Option not available here" },
  PATCH_FAILED: { status: 409, title: "Patch cannot be applied" },
  PATCH_INVALID: { status: 400, title: "Invalid patch" },
  PATH_MALFORMED: { status: 400, title: "Malformed path" },
  PLUGIN_FAILED: { status: 500, title: "Plugin failed" },
  QUERY_FIELD_UNKNOWN: { status: 400, title: "Unknown query field" },
  QUERY_INVALID: { status: 400, title: "Invalid query" },
  QUERY_TOO_COSTLY: { status: 503, title: "Query too costly" },
  RANGE_INVALID: { status: 416, title: "Range not satisfiable" },
  RATE_LIMIT_EXCEEDED: { status: 429, title: "Too many requests" },
  READ_ONLY: { status: 403, title: "Read-only" },
  RECORD_CHANGED: { status: 412, title: "Record has changed" },
  RECORD_INVALID: { status: 422, title: "Record breaks the rules" },
  RECORD_NOT_FOUND: { status: 404, title: "Record not found" },
  RECORD_REFERENCED: { status: 409, title: "Record is still referenced" },
  REQUEST_INVALID: { status: 422, title: "Request does not match the API document" },
  REQUEST_MALFORMED: { status: 400, title: "Malformed request" },
  REQUEST_TIMEOUT: { status: 408, title: "Request timed out" },
  RESET_UNAVAILABLE: { status: 409, title: "Nothing to reset to" },
  REVERT_CONFLICT: { status: 409, title: "Revert conflicts with later changes" },
  ROUTE_NOT_FOUND: { status: 404, title: "Route not found" },
  RULES_UNAVAILABLE: { status: 501, title: "Rules cannot be compiled here" },
  SANDBOXES_OFF: { status: 404, title: "Sandboxes are off" },
  SANDBOX_CONFLICT: { status: 409, title: "Sandbox conflicts with the main data" },
  SANDBOX_EXISTS: { status: 409, title: "Sandbox already exists" },
  SANDBOX_FULL: { status: 413, title: "Sandbox memory is full" },
  SANDBOX_INVALID: { status: 400, title: "Invalid sandbox" },
  SANDBOX_LIMIT: { status: 409, title: "Too many sandboxes" },
  SANDBOX_NOT_FOUND: { status: 404, title: "Sandbox not found" },
  SNAPSHOTS_OFF: { status: 404, title: "Snapshots are off" },
  SNAPSHOT_DAMAGED: { status: 409, title: "Snapshot is damaged" },
  SNAPSHOT_LIMIT: { status: 409, title: "Too many snapshots" },
  SNAPSHOT_NAME_INVALID: { status: 400, title: "Invalid snapshot name" },
  SNAPSHOT_NOT_FOUND: { status: 404, title: "Snapshot not found" },
  STORE_IN_USE: { status: 503, title: "Store in use" },
  STORE_UNAVAILABLE: { status: 503, title: "Store unavailable" },
  STREAM_LIMIT: { status: 503, title: "Too many event streams" },
  TOKEN_EXPIRED: { status: 401, title: "Token expired" },
  TOKEN_INVALID: { status: 401, title: "Invalid token" },
  TOKEN_REQUIRED: { status: 401, title: "Token required" },
  TOOL_INVALID: { status: 400, title: "Invalid tool call" },
  TRAFFIC_OFF: { status: 404, title: "Traffic log is off" },
  UPSERT_AMBIGUOUS: { status: 409, title: "Several records match" },
  UPSTREAM_LOOP: { status: 508, title: "Upstream leads back here" },
  UPSTREAM_TIMEOUT: { status: 504, title: "Upstream did not respond in time" },
  UPSTREAM_UNAVAILABLE: { status: 502, title: "Upstream unavailable" },
  VALUE_TAKEN: { status: 409, title: "Value already taken" },
  VERSION_NOT_FOUND: { status: 404, title: "Version not found" },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** The body of every error response. */
export interface ErrorBody {
  error: string;
  message: string;
  code: ErrorCode;
}

/**
 * An error that the client can fix. The message says what failed, the given value and what to do.
 *
 * @example
 * throw new StandinError("ID_TAKEN", 'products already has a record with id "7". Leave the id out to get a new one.');
 */
export class StandinError extends Error {
  override readonly name = "StandinError";
  readonly code: ErrorCode;
  /** Extra response headers, such as `Allow`. */
  readonly headers: Readonly<Record<string, string>>;

  /** Body fields besides the usual three. */
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    fields: Record<string, unknown> = {},
  ) {
    super(message);
    this.code = code;
    this.headers = headers;
    this.#fields = fields;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** The position of the request that failed, for the error of a batch. */
  get failed(): number | undefined {
    return this.#fields.failed as number | undefined;
  }

  /** The same error as that of a batch, which this request of it makes fail. */
  ofRequest(failed: number): StandinError {
    return new StandinError(this.code, this.message, this.headers, { ...this.#fields, failed });
  }

  /** The same error, with each entry of the list `errors` in its body as `change` makes it. */
  withErrors(change: (entry: unknown) => unknown): StandinError {
    const { errors } = this.#fields;
    if (!Array.isArray(errors)) return this;
    return new StandinError(this.code, this.message, this.headers, { ...this.#fields, errors: errors.map(change) });
  }

  toJSON(): ErrorBody {
    return { error: ERRORS[this.code].title, message: this.message, code: this.code, ...this.#fields };
  }
}

/** A start that fails because of bad input. Printed as one message without a stack; exit code 1. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** The message of any thrown value. */
export function messageOf(thrown: unknown): string {
  const { message } = (thrown ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : String(thrown);
}
