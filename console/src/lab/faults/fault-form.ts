import type { FaultKind, FaultRule, Milliseconds } from "../../api/faults.ts";
import { type Json, parseJson } from "../../api/json.ts";

/** How delays are spread: the same every time, evenly, or with a few far above. */
export type Spread = "fixed" | "between" | "around";

/** One effect, as typed into the builder. */
export interface EffectForm {
  readonly fault: FaultKind;
  readonly status: string;
  /** One header per line, as in `Retry-After: 5`. */
  readonly headers: string;
  readonly body: string;
  readonly spread: Spread;
  readonly ms: string;
  readonly maxMs: string;
  readonly sigma: string;
  readonly bytesPerSecond: string;
  readonly bytes: string;
}

/** The state of the builder: effects, and the requests that meet all of them. */
export interface FaultForm {
  readonly effects: readonly EffectForm[];
  /** None: all of them. */
  readonly methods: readonly string[];
  /** Empty: any. */
  readonly collection: string;
  readonly path: string;
  /** `MAIN_DATA` for no sandbox at all. */
  readonly sandbox: string;
  readonly percent: string;
  readonly skip: string;
  readonly count: string;
  readonly after: boolean;
  /** Not shown; kept for rules that have one. */
  readonly seed: number | undefined;
}

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** No sandbox has such a name. */
export const MAIN_DATA = "/main";

const NO_EFFECT: EffectForm = {
  fault: "status",
  status: "503",
  headers: "",
  body: "",
  spread: "fixed",
  ms: "",
  maxMs: "2000",
  sigma: "0.5",
  bytesPerSecond: "5000",
  bytes: "",
};
const DEFAULT_MS = "1000";

/** The rules as the builder shows them; the first one says which requests they are for. */
export function formOf(rules: readonly FaultRule[]): FaultForm {
  const {
    method,
    path = "",
    collection = "",
    sandbox = "",
    probability = 1,
    skip = 0,
    count,
    after = false,
    seed,
  } = rules[0] ?? {};
  return {
    effects: rules.map(effectFormOf),
    methods: method === undefined ? [] : [method].flat(),
    collection,
    path,
    sandbox: sandbox ?? MAIN_DATA,
    percent: String(Number((probability * 100).toPrecision(12))),
    skip: skip === 0 ? "" : String(skip),
    count: count === undefined ? "" : String(count),
    after,
    seed,
  };
}

/** The same effect with another kind: settings that both have stay. */
export function withKind(effect: EffectForm, fault: FaultKind): EffectForm {
  // A time-out without a time lasts until the client leaves; a latency needs one.
  return { ...effect, fault, ms: fault === "latency" ? effect.ms || DEFAULT_MS : "" };
}

/** One rule per effect, as the server takes them. */
export function rulesOf(form: FaultForm): FaultRule[] {
  const { percent, skip, count, after, seed } = form;
  const match = {
    ...matchOf(form),
    ...(Number(percent) !== 100 && { probability: Number((Number(percent) / 100).toPrecision(12)) }),
    ...(seed !== undefined && { seed }),
    ...(Number(skip) > 0 && { skip: Number(skip) }),
    ...(count.trim() !== "" && { count: Number(count) }),
    ...(after && { after }),
  };
  return form.effects.map((effect) => ({ ...effectRuleOf(effect), ...match }));
}

/** The requests that the form names. */
export function matchOf({ methods, path, collection, sandbox }: FaultForm): Partial<FaultRule> {
  return {
    ...(methods.length > 0 && { method: methods }),
    ...(path.trim() !== "" && { path: path.trim() }),
    ...(collection !== "" && { collection }),
    ...(sandbox !== "" && { sandbox: sandbox === MAIN_DATA ? null : sandbox }),
  };
}

function effectFormOf({ fault, status, headers = {}, body, ms, bytesPerSecond, bytes }: FaultRule): EffectForm {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return {
    ...NO_EFFECT,
    fault,
    ...(status !== undefined && { status: String(status) }),
    headers: lines.join("\n"),
    body: body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body),
    ...(ms !== undefined && delayFormOf(ms)),
    ...(bytesPerSecond !== undefined && { bytesPerSecond: String(bytesPerSecond) }),
    ...(bytes !== undefined && { bytes: String(bytes) }),
  };
}

function delayFormOf(ms: Milliseconds): Partial<EffectForm> {
  if (typeof ms === "number") return { spread: "fixed", ms: String(ms) };
  if ("min" in ms) return { spread: "between", ms: String(ms.min), maxMs: String(ms.max) };
  return { spread: "around", ms: String(ms.median), sigma: String(ms.sigma) };
}

function effectRuleOf(effect: EffectForm): FaultRule {
  const { fault, status, body, ms, bytesPerSecond, bytes } = effect;
  switch (fault) {
    case "status": {
      const headers = headersOf(effect.headers);
      return {
        fault,
        status: Number(status),
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(body.trim() !== "" && { body: bodyOf(body) }),
      };
    }
    case "latency":
      return { fault, ms: delayOf(effect) };
    case "timeout":
      return ms.trim() === "" ? { fault } : { fault, ms: Number(ms) };
    case "slow-body":
      return { fault, bytesPerSecond: Number(bytesPerSecond) };
    case "truncated-body":
      return bytes.trim() === "" ? { fault } : { fault, bytes: Number(bytes) };
    default:
      return { fault };
  }
}

function delayOf({ spread, ms, maxMs, sigma }: EffectForm): Milliseconds {
  if (spread === "between") return { min: Number(ms), max: Number(maxMs) };
  return spread === "around" ? { median: Number(ms), sigma: Number(sigma) } : Number(ms);
}

function headersOf(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return colon === -1 ? [line.trim(), ""] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

/** JSON as such, anything else as text. */
function bodyOf(text: string): Json {
  return parseJson(text) ?? text;
}
