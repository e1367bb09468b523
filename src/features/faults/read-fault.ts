import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { METHODS, validateHeaderName, validateHeaderValue } from "../../base/platform/runtime.ts";
import { FAULT_KINDS, type Fault, type FaultKind } from "./types.ts";

const MATCHING = ["method", "path", "collection", "sandbox", "probability", "seed", "skip", "count", "after"];
const DETAILS: Readonly<Record<FaultKind, readonly string[]>> = {
  latency: ["ms"],
  status: ["status", "body", "headers"],
  "slow-body": ["bytesPerSecond"],
  "truncated-body": ["bytes"],
  "malformed-json": [],
  reset: [],
  "empty-reply": [],
  timeout: ["ms"],
};
const NEEDED = ["ms", "status", "bytesPerSecond"];
/** Headers that frame a response: with these it would not be valid HTTP. */
const FORBIDDEN_HEADERS = ["content-length", "transfer-encoding", "connection"];
const MAX_MS = 2 ** 31 - 1;

/** Why a rule cannot be meant: the key, and what is wrong with it. */
export class FaultProblem extends Error {
  readonly key: string;

  constructor(key: string, problem: string) {
    super(problem);
    this.key = key;
  }
}

/** Reads a list of rules; the key of a problem begins with the position of its rule, as in `[2].status`. */
export function readFaults(values: readonly unknown[]): Fault[] {
  return values.map((value, position) => {
    try {
      return readFault(value);
    } catch (thrown) {
      if (!(thrown instanceof FaultProblem)) throw thrown;
      throw new FaultProblem([`[${position}]`, thrown.key].filter((part) => part !== "").join("."), thrown.message);
    }
  });
}

/** Reads a rule as it stands in JSON; a `FaultProblem` names the key that is wrong, and what is allowed. */
export function readFault(value: unknown): Fault {
  if (!isJsonObject(value)) throw new FaultProblem("", "must be an object.");
  const kind = FAULT_KINDS.find((one) => one === value.fault);
  if (!kind) throw new FaultProblem("fault", `is ${shown(value.fault)}; allowed values are ${FAULT_KINDS.join(", ")}.`);
  const known = ["fault", ...MATCHING, ...DETAILS[kind]];
  for (const key of Object.keys(value)) {
    if (!known.includes(key))
      throw new FaultProblem(key, `is not a setting of a ${kind} fault.${didYouMean(key, known)}`);
  }
  const isOptional = (key: string): boolean => !NEEDED.includes(key) || (kind === "timeout" && key === "ms");
  for (const [key, [allowed, isAllowed]] of Object.entries(KEYS)) {
    if (!known.includes(key) || (value[key] === undefined && isOptional(key))) continue;
    if (!isAllowed(value[key] ?? null, kind)) {
      throw new FaultProblem(key, `is ${shown(value[key])}; it must be ${allowed}.`);
    }
  }
  // Every key has been looked at.
  return withMethods(value) as Fault;
}

type Check = (value: Json, kind: FaultKind) => boolean;

const KEYS: Readonly<Record<string, readonly [allowed: string, isAllowed: Check]>> = {
  method: ["a method or a list of methods", (value) => [value].flat().length > 0 && [value].flat().every(isMethod)],
  path: ["a path that begins with /", (value) => typeof value === "string" && value.startsWith("/")],
  collection: ["a string", isText],
  sandbox: ["a string, or null for the main data alone", (value) => value === null || isText(value)],
  probability: ["a number from 0 to 1", (value) => isNumber(value, 0, 1)],
  seed: ["a whole number from 0", (value) => isWhole(value, 0)],
  skip: ["a whole number from 0", (value) => isWhole(value, 0)],
  count: ["a whole number from 1", (value) => isWhole(value, 1)],
  after: ["true or false", (value) => typeof value === "boolean"],
  ms: [
    'milliseconds: a whole number, { "min": 100, "max": 500 } or { "median": 200, "sigma": 0.5 }',
    (value, kind) => isWhole(value, 0, MAX_MS) || (kind === "latency" && isSpread(value)),
  ],
  status: ["a status from 200 to 599", (value) => isWhole(value, 200, 599)],
  headers: ["an object of strings, without headers that frame the response", areHeaders],
  bytesPerSecond: ["a whole number from 1", (value) => isWhole(value, 1)],
  bytes: ["a whole number from 0", (value) => isWhole(value, 0)],
};

function withMethods(value: JsonObject): object {
  if (value.method === undefined) return value;
  return { ...value, method: [value.method].flat().map((method) => String(method).toUpperCase()) };
}

function isMethod(value: Json): boolean {
  return typeof value === "string" && METHODS.includes(value.toUpperCase());
}

function isText(value: Json): boolean {
  return typeof value === "string" && value !== "";
}

function isNumber(value: Json, min: number, max: number): boolean {
  return typeof value === "number" && value >= min && value <= max;
}

function isWhole(value: Json, min: number, max = Number.MAX_SAFE_INTEGER): boolean {
  return isNumber(value, min, max) && Number.isSafeInteger(value);
}

function isSpread(value: Json): boolean {
  if (!isJsonObject(value) || Object.keys(value).length !== 2) return false;
  const { min = null, max = null, median = null, sigma = null } = value;
  if (isNumber(median, 0, MAX_MS)) return isNumber(sigma, 0, 10);
  return isNumber(min, 0, MAX_MS) && isNumber(max, min as number, MAX_MS);
}

function areHeaders(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(([name, text]) => {
    if (typeof text !== "string" || FORBIDDEN_HEADERS.includes(name.toLowerCase())) return false;
    try {
      validateHeaderName(name);
      validateHeaderValue(name, text);
      return true;
    } catch {
      return false;
    }
  });
}

function shown(value: Json | undefined): string {
  return value === undefined ? "missing" : JSON.stringify(value).slice(0, 100);
}
