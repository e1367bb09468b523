import { inSlices } from "../../../base/slices.ts";
import { readAnyBody } from "../../../http/body/any-body.ts";
import { warningOf } from "../../../http/response/warning.ts";
import { createRequestCheck } from "../../../openapi/check/request-check.ts";
import { requestError } from "../../../openapi/check/request-error.ts";
import type { SchemaBook } from "../../../openapi/check/schema-book.ts";
import { createSecurityCheck } from "../../../openapi/check/security-check.ts";
import type { ApiDocument, Operation } from "../../../openapi/read/api-document.ts";
import type { CheckedRequest, OperationRequest } from "../operation-request.ts";

/** Requests of an operation that are known to be right: the same ones come again and again. */
const MAX_KNOWN = 1000;
/** Different warnings that are written to the log. */
const MAX_WARNINGS = 200;
/** In front of the problems in a `Warning` header. */
const WORDS = "Breaks the API document";

export interface GuardOptions {
  readonly document: ApiDocument;
  readonly book: SchemaBook;
  /** `on`, `warn` or `off`. */
  readonly validate: string;
  readonly validateSecurity: boolean;
}

export interface RequestGuard {
  /** Throws for a request without a body that breaks the document. */
  check(request: OperationRequest): void;
  /** The same for a request whose body was read. */
  checkBody(request: CheckedRequest): Promise<void>;
  /** The same with a body that was not read; leaves it for others to read. */
  checkUnread(request: OperationRequest): Promise<void>;
}

/** Creates the check of requests to the document's operations. */
export function createRequestGuard({ document, book, validate, validateSecurity }: GuardOptions): RequestGuard {
  const find = createRequestCheck(document, book);
  const findMissing = createSecurityCheck(document);
  const known = new WeakMap<Operation, Known>();
  const warned = new Set<string>();

  const refuse = ({ operation, call, service }: OperationRequest, problems: ReturnType<typeof find>): void => {
    if (problems.length === 0) return;
    const error = requestError(operation, problems);
    if (validate === "on") throw error;
    const found = problems.map(({ pointer, message }) => `${pointer} ${message}`);
    call.warning = warningOf(WORDS, found);
    if (warned.size >= MAX_WARNINGS || warned.has(error.message)) return;
    warned.add(error.message);
    service.reporter.warn(error.message);
  };
  const checkSecurity = ({ operation, call }: OperationRequest): void => {
    const missing = findMissing(operation, { search: call.target.search, headers: call.headers });
    if (missing) throw missing;
  };
  const knownOf = (operation: Operation): Known => {
    let one = known.get(operation);
    if (!one) {
      one = createKnown(operation);
      known.set(operation, one);
    }
    return one;
  };

  return {
    check(request) {
      if (validateSecurity) checkSecurity(request);
      if (validate === "off") return;
      const { operation, call } = request;
      const { right, hasPathValues } = knownOf(operation);
      const { path, search } = call.target;
      const address = hasPathValues ? `${path}?${search}` : search;
      if (right?.has(address)) return;
      const problems = find(operation, partsOf(request));
      if (right && problems.length === 0) {
        if (right.size >= MAX_KNOWN) right.clear();
        right.add(address);
      }
      refuse(request, problems);
    },
    async checkBody(request) {
      if (validateSecurity) checkSecurity(request);
      if (validate === "off") return;
      refuse(request, await inSlices(find.inTurns(request.operation, { ...partsOf(request), body: request.body })));
    },
    async checkUnread(request) {
      if (validate === "off" && !validateSecurity) return;
      const body = await readAnyBody(request.call);
      await this.checkBody({ ...request, body });
    },
  };
}

/** The requests of an operation that are known to be right. */
interface Known {
  /** Their addresses; undefined where more than the address counts. */
  readonly right: Set<string> | undefined;
  /** Whether requests differ by their paths, too. */
  readonly hasPathValues: boolean;
}

function createKnown({ parameters, requestBody, path }: Operation): Known {
  const isByAddress = parameters.every(({ in: at }) => at !== "header" && at !== "cookie");
  return {
    right: isByAddress && !requestBody?.isRequired ? new Set() : undefined,
    hasPathValues: path.names.length > 0,
  };
}

function partsOf({ operation, call, parts }: OperationRequest) {
  const { headers } = call;
  return {
    pathValues: operation.path.names.map((name) => parts[name]!),
    search: call.target.search,
    headers,
    contentType: headers["content-type"],
  };
}
