import type { ApiDocument, Operation } from "../api-document/api-document.ts";
import { createRequestCheck, type RequestParts } from "../api-document/check/request-check.ts";
import { requestError } from "../api-document/check/request-error.ts";
import { createSchemaBook } from "../api-document/check/schema-book.ts";
import { createSecurityCheck } from "../api-document/check/security-check.ts";
import { warningOf } from "../http/response/warning.ts";
import { inSlices } from "../slices.ts";
import type { CheckedRequest, ExampleCheck } from "./example.ts";

/** Different warnings that are written to the log. */
const MAX_LOGGED = 200;
const WORDS = "Breaks the API document";

export interface ValidationOptions {
  /** Whether a request that breaks the document is refused, or only reported. */
  readonly mode: "on" | "warn";
  warn(text: string): void;
}

/** Creates the checks of requests to a document's operations: credentials first, then everything else, as in Prism. */
export function createValidation(
  document: ApiDocument,
  { mode, warn }: ValidationOptions,
): (operation: Operation) => ExampleCheck {
  const findProblems = createRequestCheck(document, createSchemaBook(document));
  const findMissing = createSecurityCheck(document);
  const logged = new Set<string>();
  const log = (text: string): void => {
    if (logged.size >= MAX_LOGGED || logged.has(text)) return;
    logged.add(text);
    warn(text);
  };
  return (operation) => async (request, pathValues) => {
    const missing = findMissing(operation, request);
    if (missing && mode === "on") throw missing;
    const parts = await partsOf(request, operation, pathValues);
    const problems = await inSlices(findProblems.inTurns(operation, parts));
    if (!missing && problems.length === 0) return undefined;
    const error = problems.length > 0 ? requestError(operation, problems) : undefined;
    if (error && mode === "on") throw error;
    for (const one of [missing, error]) if (one) log(one.message);
    const entries = problems.map(({ pointer, message }) => `${pointer} ${message}`);
    return warningOf(WORDS, missing ? [missing.message, ...entries] : entries);
  };
}

async function partsOf(
  request: CheckedRequest,
  { requestBody }: Operation,
  pathValues: readonly string[],
): Promise<RequestParts> {
  const { search, headers } = request;
  return {
    // An escaped slash is no end of a segment, but part of its value.
    pathValues: pathValues.map((value) => value.replaceAll("%2F", "/")),
    search,
    headers,
    body: requestBody ? await request.readBody() : undefined,
    contentType: headers["content-type"],
  };
}
