import { isJsonObject, type Json, parseJson } from "../../../base/json/json.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { OWN_BINDINGS } from "../../../openapi/bind/config/own-bindings.ts";
import { declaredResponse } from "../../../openapi/check/declared-response.ts";
import { contentOfType, isJsonType } from "../../../openapi/check/media-types.ts";
import type { ApiDocument, Operation } from "../../../openapi/read/api-document.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import { createOperationFinder } from "../judge-exchange.ts";
import { compareBodies } from "./compare-bodies.ts";
import type { Drift, DriftFinding, NotAsked } from "./drift.ts";

/** Statuses that say that there is no such operation or record. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 405, 410, 501]);
/** Statuses that say nothing about the API: credentials, load, and what stands in front of it. */
const NO_ANSWER: Readonly<Record<number, string | undefined>> = {
  401: "401: it needs credentials; give them with --header",
  403: "403: the credentials do not allow it",
  407: "407: a proxy needs credentials",
  408: "408: it took too long",
  429: "429: too many requests",
  502: "502: the API is not available",
  503: "503: the API is not available",
  504: "504: the API is not available",
};
/** So many records that are not there are more than some that were removed. */
const MANY_RECORDS = 3;

/** Compares GET exchanges of now with a document. */
export function findDrift(document: ApiDocument, exchanges: readonly Exchange[]): Drift {
  const find = createOperationFinder(document);
  const byOperation = new Map<Operation, Exchange[]>();
  for (const exchange of exchanges) {
    const found = exchange.method === "GET" && exchange.status !== 304 ? find(exchange) : "not a read";
    if (typeof found === "string") continue;
    byOperation.set(found.operation, [...(byOperation.get(found.operation) ?? []), exchange]);
  }
  const findings: DriftFinding[] = [];
  const notAsked: NotAsked[] = [];
  for (const [operation, seen] of byOperation) {
    const name = `${operation.method} ${operation.path.text}`;
    const compared = compareOperation(document, operation, seen);
    if ("why" in compared) notAsked.push({ operation: name, ...compared });
    else findings.push(...compared.differences.map((one) => ({ operation: name, ...one })));
  }
  return { findings, notAsked, operations: byOperation.size, exchanges };
}

type Difference = Omit<DriftFinding, "operation">;

type Compared = { readonly differences: readonly Difference[] } | Omit<NotAsked, "operation">;

function compareOperation(document: ApiDocument, operation: Operation, seen: readonly Exchange[]): Compared {
  const isDeclared = ({ status }: Exchange): boolean => operation.responses.some((one) => one.code === String(status));
  const telling = seen.filter((one) => NO_ANSWER[one.status] === undefined || isDeclared(one));
  const [silent] = seen;
  if (telling.length === 0) return { why: NO_ANSWER[silent?.status ?? 0] ?? "no response", isFailure: true };
  const there = telling.filter((one) => !NOT_THERE.has(one.status) || isSuccessExpected(operation, one.status));
  if (there.length === 0) return whatIsGone(operation, telling);
  const successes = there.filter(({ status }) => status < 400);
  const failed = there.find((one) => one.status >= 400 && !isDeclared(one));
  if (failed && successes.length === 0) {
    const message = `was ${classOf(operation.responses[0]?.status ?? 200)}, is ${failed.status}`;
    return { differences: [{ kind: "status", pointer: "", message }] };
  }
  const statuses = [...new Set(successes.map(({ status }) => status))];
  const differences = statuses.flatMap((status) =>
    compareStatus(
      document,
      operation,
      successes.filter((one) => one.status === status),
    ),
  );
  return { differences };
}

/** Some documents only know that there is nothing. */
function isSuccessExpected({ responses }: Operation, status: number): boolean {
  return responses.every((one) => one.status === status);
}

function whatIsGone({ path }: Operation, seen: readonly Exchange[]): Compared {
  const statuses = [...new Set(seen.map(({ status }) => status))].join(", ");
  const isOneOfMany = path.names.length > 0 && seen.every(({ status }) => status === 404 || status === 410);
  if (isOneOfMany && new Set(seen.map(({ url }) => url)).size < MANY_RECORDS) {
    return { why: `${statuses}: these records are not there any more`, isFailure: false };
  }
  return { differences: [{ kind: "operation gone", pointer: "", message: `responds with ${statuses}` }] };
}

function compareStatus(document: ApiDocument, operation: Operation, seen: readonly Exchange[]): Difference[] {
  const [first] = seen;
  const status = first?.status ?? 0;
  const sameClass = operation.responses.find((one) => Math.floor(one.status / 100) === Math.floor(status / 100));
  const declared = declaredResponse(operation, status) ?? sameClass;
  if (!declared) {
    return [
      { kind: "status", pointer: "", message: `was ${classOf(operation.responses[0]?.status ?? 200)}, is ${status}` },
    ];
  }
  const { contents } = declared;
  const found: Difference[] = [];
  for (const type of new Set(seen.map(({ mediaType }) => mediaType))) {
    const own = seen.filter((one) => one.mediaType === type && one.responseBody !== undefined);
    const content = contentOfType(contents, type);
    if (!content) {
      const was = contents.map((one) => one.type).join(", ");
      if (contents.length > 0)
        found.push({ kind: "media type", pointer: "", message: `was ${was}, is ${type || "none"}` });
      continue;
    }
    if (!content.schema || !isJsonType(type)) continue;
    const bodies = own.map(({ responseBody = "" }) => jsonIn(responseBody)).filter((body) => body !== undefined);
    found.push(
      ...withEnvelope(document, operation, {
        bodies,
        differences: compareBodies(document.references, content.schema, { values: bodies }),
      }),
    );
  }
  return found;
}

interface Bodies {
  readonly bodies: readonly Json[];
  readonly differences: readonly Difference[];
}

/** A list or a record that stands elsewhere is another envelope, however few samples there were. */
function withEnvelope(document: ApiDocument, operation: Operation, { bodies, differences }: Bodies): Difference[] {
  const at = recordPlace(document, operation) ?? [];
  const places = new Set(["", ...at.map((_, position) => `/${at.slice(0, position + 1).join("/")}`)]);
  const isEnvelope = ({ kind, pointer }: Difference): boolean =>
    (kind === "field gone" || kind === "type changed") && places.has(pointer);
  const moved = differences.map((one): Difference => (isEnvelope(one) ? { ...one, kind: "envelope" } : one));
  const isGone = at.length > 0 && bodies.length > 0 && bodies.every((body) => valueAtPointer(body, at) === undefined);
  if (!isGone || moved.some(({ kind }) => kind === "envelope")) return moved;
  return [{ kind: "envelope", pointer: `/${at.join("/")}`, message: "held the records, is not there" }, ...moved];
}

/** Where the list or the record of an operation stands. */
function recordPlace({ root }: ApiDocument, { path }: Operation): readonly string[] | undefined {
  const section = root[OWN_BINDINGS];
  for (const entry of Object.values(isJsonObject(section) ? section : {})) {
    if (!isJsonObject(entry)) continue;
    const at = entry.list === path.text ? entry.at : entry.item === path.text ? entry.itemAt : undefined;
    if (typeof at === "string") return at === "" ? [] : at.split(".");
  }
  return undefined;
}

function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
