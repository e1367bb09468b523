import { StandinError } from "../base/errors.ts";
import type { Json } from "../base/json/json.ts";
import { inSlices } from "../base/slices.ts";
import { readAnyBody } from "../http/body/any-body.ts";
import type { Call } from "../http/call.ts";
import { declaredErrorReply } from "../http/response/declared-error.ts";
import { warningOf } from "../http/response/warning.ts";
import { createErrorBodies } from "../openapi/check/error-body.ts";
import { createRequestCheck, type RequestParts } from "../openapi/check/request-check.ts";
import { requestError } from "../openapi/check/request-error.ts";
import { createSchemaBook } from "../openapi/check/schema-book.ts";
import { createSecurityCheck } from "../openapi/check/security-check.ts";
import type { ApiDocument, Operation } from "../openapi/read/api-document.ts";
import { createSampler } from "../openapi/sample/sampler.ts";
import type { CheckOutcome, ExampleCheck } from "./example.ts";

/** Different warnings that are written to the log. */
const MAX_LOGGED = 200;
const WORDS = "Breaks the API document";

export interface ValidationOptions {
  /** Whether a request that breaks the document is refused, or only reported. */
  readonly mode: "on" | "warn";
  warn(text: string): void;
  /** Of values in errors of the document's form. */
  readonly seed?: number | undefined;
}

/** Creates the checks of requests to a document's operations: credentials first, then everything else, as in Prism. */
export function createValidation(
  document: ApiDocument,
  { mode, warn, seed = 1 }: ValidationOptions,
): (operation: Operation) => ExampleCheck {
  const book = createSchemaBook(document);
  const findProblems = createRequestCheck(document, book);
  const tell = createErrorBodies({ document, book, sample: createSampler(document, seed).sample });
  const findMissing = createSecurityCheck(document);
  const logged = new Set<string>();
  const log = (text: string): void => {
    if (logged.size >= MAX_LOGGED || logged.has(text)) return;
    logged.add(text);
    warn(text);
  };
  const refuse = (operation: Operation, call: Call, error: StandinError): CheckOutcome => {
    call.refusal = error.message;
    const declared = tell(operation, error, call.client.path);
    if (!declared) throw error;
    return { refusal: declaredErrorReply(declared, error) };
  };
  return (operation) => async (call, pathValues) => {
    const missing = findMissing(operation, { search: call.target.search, headers: call.headers });
    if (missing && mode === "on") return refuse(operation, call, missing);
    const { parts, unreadable } = await partsOf(call, operation, pathValues);
    if (unreadable && mode === "on") return refuse(operation, call, unreadable);
    const found = await inSlices(findProblems.inTurns(operation, parts));
    const problems = unreadable ? found.filter(({ pointer }) => pointer !== "/body") : found;
    const error = problems.length > 0 ? requestError(operation, problems) : undefined;
    if (error && mode === "on") return refuse(operation, call, error);
    const errors = [missing, unreadable].flatMap((one) => (one ? one.message : []));
    if (!error && errors.length === 0) return {};
    for (const text of error ? [...errors, error.message] : errors) log(text);
    const texts = [...errors, ...problems.map(({ pointer, message }) => `${pointer} ${message}`)];
    return { warning: warningOf(WORDS, texts) };
  };
}

interface ReadParts {
  readonly parts: RequestParts;
  /** Why the body could not be read. */
  readonly unreadable: StandinError | undefined;
}

async function partsOf(call: Call, { requestBody }: Operation, pathValues: readonly string[]): Promise<ReadParts> {
  const { headers, target } = call;
  const { body, unreadable } = requestBody ? await bodyOf(call) : {};
  const parts = {
    // An escaped slash is no end of a segment, but part of its value.
    pathValues: pathValues.map((value) => value.replaceAll("%2F", "/")),
    search: target.search,
    headers,
    body,
    contentType: headers["content-type"],
  };
  return { parts, unreadable };
}

async function bodyOf(call: Call): Promise<{ body?: Json | undefined; unreadable?: StandinError }> {
  try {
    return { body: await readAnyBody(call) };
  } catch (thrown) {
    if (!(thrown instanceof StandinError) || thrown.code !== "BODY_MALFORMED") throw thrown;
    return { unreadable: thrown };
  }
}
