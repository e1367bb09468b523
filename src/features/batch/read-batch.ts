import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { expectFewRecords } from "../../http/body/body.ts";
import { expectJsonType } from "../../http/body/body-type.ts";
import type { Call } from "../../http/call.ts";
import type { DataService } from "../../http/contract.ts";
import { parsePreferences } from "../../http/preferences.ts";
import { memberName, segmentsOf } from "../../http/router.ts";
import { isDryRun } from "../../http/routes/carry-out.ts";
import { AT } from "../../query/parameters.ts";
import { nameList } from "../../query/parse-query.ts";
import { METHODS } from "./types.ts";

export const MAX_REQUESTS = 1000;
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);
const KEYS = ["method", "path", "body", "headers", "as"];
const HEADERS = ["If-Match", "Prefer", "Content-Type"];
const NAME = /^[A-Za-z][\w-]{0,99}$/;
const MAX_SHOWN = 100;

/** One request of a batch, as read. */
export interface InnerRequest {
  readonly method: string;
  /** Path and query, possibly with references. */
  readonly path: string;
  readonly body: Json | undefined;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** The name by which later requests refer to the response. */
  readonly as: string | undefined;
}

/** Reads the requests of a batch; the error names the first one that is not well-formed. */
export function readBatch(body: Json | undefined): InnerRequest[] {
  if (!isJsonObject(body) || !Array.isArray(body.requests)) {
    throw invalid(
      'A batch is a JSON object such as { "requests": [{ "method": "POST", "path": "/products", "body": {} }] }.',
    );
  }
  const { requests, ...others } = body;
  refuseOthers(others, ["requests"], "batch");
  if (requests.length > MAX_REQUESTS) {
    throw invalid(`A batch may have at most ${MAX_REQUESTS} requests, and this one has ${requests.length}.`).ofRequest(
      MAX_REQUESTS,
    );
  }
  const names = new Set<string>();
  return requests.map((request, at) => {
    try {
      return readRequest(request, names);
    } catch (thrown) {
      throw thrown instanceof StandinError ? thrown.ofRequest(at) : thrown;
    }
  });
}

function readRequest(given: Json, names: Set<string>): InnerRequest {
  if (!isJsonObject(given)) throw invalid("A request of a batch must be an object with method and path.");
  refuseOthers(given, KEYS, "request");
  const { body } = given;
  if (body !== undefined) expectFewRecords(body);
  const headers = readHeaders(given.headers);
  if (headers?.["content-type"] !== undefined) expectJsonType(headers["content-type"]);
  return { method: readMethod(given.method), path: readPath(given.path), body, headers, as: readName(given.as, names) };
}

function readMethod(given: Json | undefined): string {
  const method = typeof given === "string" ? given.toUpperCase() : "";
  if (KNOWN_METHODS.has(method)) return method;
  throw invalid(`"method": ${shown(given)} cannot be used in a batch. Use one of ${METHODS.join(", ")}.`);
}

function readPath(given: Json | undefined): string {
  if (typeof given === "string" && given.startsWith("/")) return given;
  throw invalid(`"path" must be a string that begins with a slash, such as "/products/1", not ${shown(given)}.`);
}

function readHeaders(given: Json | undefined): Record<string, string> | undefined {
  if (given === undefined) return undefined;
  if (!isJsonObject(given)) throw invalid(`"headers" must be an object, not ${shown(given)}.`);
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    const known = HEADERS.find((one) => one.toLowerCase() === name.toLowerCase());
    if (known === undefined) {
      throw invalid(`The header ${shown(name)} is not allowed in a batch; allowed are ${HEADERS.join(", ")}.`);
    }
    if (typeof value !== "string") throw invalid(`The header ${known} must be a string, not ${shown(value)}.`);
    headers.set(known.toLowerCase(), value);
  }
  if (isDryRun(parsePreferences(headers.get("prefer") ?? ""))) {
    throw invalid("Prefer: tx=rollback is for the whole batch: send it as a header of the batch itself.");
  }
  return Object.fromEntries(headers);
}

function readName(given: Json | undefined, names: Set<string>): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== "string" || !NAME.test(given)) {
    throw invalid(`"as" must be a name of letters, digits, - and _ that begins with a letter, not ${shown(given)}.`);
  }
  if (names.has(given)) throw invalid(`Two requests are named "${given}".`);
  names.add(given);
  return given;
}

function refuseOthers(given: JsonObject, keys: readonly string[], of: string): void {
  for (const key in given) {
    if (!keys.includes(key)) throw invalid(`A ${of} has no ${shown(key)}.${didYouMean(key, keys)}`);
  }
}

function shown(value: Json | undefined): string {
  return value === undefined ? "nothing" : JSON.stringify(value).slice(0, MAX_SHOWN);
}

function invalid(message: string): StandinError {
  return new StandinError("BATCH_INVALID", message);
}

/** The part of the data that a request is about. */
export interface Destination {
  readonly segments: readonly string[];
  /** The collections and singletons, as far as there are any of these names. */
  readonly members: readonly string[];
  /** Whether there are members of all names in the address. */
  readonly isKnown: boolean;
}

/** Finds the data behind an address. Throws for one that does not lead to data, or to a list. */
export function destinationOf(call: Call, service: DataService): Destination {
  const { store } = service;
  const segments = segmentsOf(call.target.path);
  const [first, , child] = segments;
  if (first === undefined || isReserved(first, service)) {
    throw new StandinError("BATCH_INVALID", `${call.client.path} cannot be in a batch: only routes of the data can.`);
  }
  if (service.features.some(({ findRoute }) => findRoute?.(segments, call.method))) {
    throw new StandinError("BATCH_UNAVAILABLE", `${call.client.path} is a plugin's route, and cannot be in a batch.`);
  }
  const name = memberName(store, first);
  const isList =
    child !== undefined || (segments.length === 1 && name !== undefined && store.kindOf(name) !== "singleton");
  if (call.isRead && isList) {
    throw new StandinError(
      "BATCH_INVALID",
      `GET ${call.client.path} lists records; a batch can only read single ones. Send it by itself.`,
    );
  }
  if (call.hasParameters && call.parameters.has(AT) && call.isRead) {
    throw new StandinError("BATCH_INVALID", `A batch reads the present alone: send GET ${call.client.path} by itself.`);
  }
  const names = child === undefined ? [first] : [first, child];
  const named = names.flatMap((one) => memberName(store, one) ?? []);
  const dependents = call.hasParameters ? nameList(call.parameters, "_dependent") : [];
  const removed = dependents.filter((one) => store.kindOf(one) !== undefined);
  const isKnown = named.length + removed.length === names.length + dependents.length;
  return { segments, members: [...named, ...removed], isKnown };
}

function isReserved(first: string, { reservedNames }: DataService): boolean {
  return first.startsWith("__") || first.toLowerCase() === "login" || reservedNames.includes(first);
}
