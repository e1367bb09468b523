import { parseDuration } from "../../base/duration.ts";
import { isJsonObject, type JsonObject } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { maskAddress } from "../../base/secrets/mask-text.ts";
import { ALWAYS, type HookCondition, readCondition } from "./hook-condition.ts";
import { type Hook, SIGNATURES, type TimelineStep } from "./types.ts";

const HOOK_KEYS = ["name", "on", "if", "to", "subscribers", "sign", "after", "retry", "sandboxes", "faults"];
const STEP_KEYS = ["name", "on", "after", "if", "set", "remove"];
const EVENT = /^(\*|[^.\s]+(\.[^.\s]+)*\.(created|changed|removed))$/;
const NAME = /^[\w][\w.-]{0,99}$/;
const FAULTS: readonly unknown[] = ["drop", "double", "delay"];
const MAX_RETRY = 20;
/** The last time of a clock and this are still a date. */
const MAX_AFTER = "36500d";
const MAX_AFTER_MS = 36_500 * 86_400_000;

/** Why a rule cannot be meant: the key, and what is wrong with it. */
export class HookProblem extends Error {
  readonly key: string;

  constructor(key: string, problem: string) {
    super(problem);
    this.key = key;
  }
}

/** A hook, or a step of the timeline, ready for use. */
export interface ReadRule {
  readonly name: string;
  readonly events: readonly string[];
  readonly condition: HookCondition;
  readonly afterMs: number;
}

export interface ReadHook extends ReadRule {
  readonly kind: "delivery";
  readonly hook: Hook;
}

export interface ReadStep extends ReadRule {
  readonly kind: "timeline";
  readonly step: TimelineStep;
}

/** Reads a hook as it stands in JSON; a `HookProblem` names the key that is wrong, and what is allowed. */
export function readHook(value: unknown): ReadHook {
  const hook = objectOf(value, HOOK_KEYS, "a hook");
  const { name, to, subscribers, sign, retry, sandboxes, faults = [] } = hook;
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new HookProblem("name", `is ${shown(name)}; a name has up to 100 letters, digits, dots and dashes.`);
  }
  if ((to === undefined) === (subscribers === undefined)) {
    throw new HookProblem("to", 'needs an address, or "subscribers" the name of a collection: one of the two.');
  }
  if (to !== undefined && !isWebAddress(to)) {
    throw new HookProblem("to", `is ${shown(to)}; expected is an http or https address without user information.`);
  }
  if (subscribers !== undefined && (typeof subscribers !== "string" || subscribers === "")) {
    throw new HookProblem("subscribers", `is ${shown(subscribers)}; expected is the name of a collection.`);
  }
  if (sign !== undefined) readSigning(sign, subscribers !== undefined);
  if (retry !== undefined && !(Number.isInteger(retry) && Number(retry) >= 0 && Number(retry) <= MAX_RETRY)) {
    throw new HookProblem("retry", `is ${shown(retry)}; expected is a number from 0 to ${MAX_RETRY}.`);
  }
  if (sandboxes !== undefined && typeof sandboxes !== "boolean") {
    throw new HookProblem("sandboxes", `is ${shown(sandboxes)}; expected is true or false.`);
  }
  if (!Array.isArray(faults) || !faults.every(isDeliveryFault)) {
    throw new HookProblem(
      "faults",
      'must be a list such as [{ "fault": "drop", "count": 1 }]: drop, double, or delay with ms.',
    );
  }
  // Every key has been looked at.
  return { kind: "delivery", hook: value as Hook, ...readRule(name, hook) };
}

/** Reads a step of the timeline; one without a name is called by its position. */
export function readStep(value: unknown, position: number): ReadStep {
  const step = objectOf(value, STEP_KEYS, "a step of the timeline");
  const { name = `timeline-${position + 1}`, set, remove, after } = step;
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new HookProblem("name", `is ${shown(name)}; a name has up to 100 letters, digits, dots and dashes.`);
  }
  if (after === undefined) throw new HookProblem("after", "is missing: after how long, such as 3s?");
  if ((set === undefined) === (remove === undefined) || (set !== undefined && !isJsonObject(set))) {
    throw new HookProblem("set", 'needs the fields to change, or "remove" must be true: one of the two.');
  }
  if (remove !== undefined && remove !== true)
    throw new HookProblem("remove", `is ${shown(remove)}; expected is true.`);
  return { kind: "timeline", step: value as TimelineStep, ...readRule(name, step) };
}

function readRule(name: string, { on, if: condition, after }: JsonObject): ReadRule {
  const events = Array.isArray(on) ? on : [on];
  for (const event of events) {
    if (typeof event === "string" && EVENT.test(event)) continue;
    throw new HookProblem("on", `is ${shown(event)}; expected is orders.created, orders.changed, orders.removed or *.`);
  }
  const afterMs = after === undefined ? 0 : typeof after === "string" ? parseDuration(after) : undefined;
  if (afterMs === undefined) {
    throw new HookProblem("after", `is ${shown(after)}; expected is a time such as 500ms, 3s, 30m, 1h or 2d.`);
  }
  if (afterMs > MAX_AFTER_MS) throw new HookProblem("after", `is ${shown(after)}; the longest is ${MAX_AFTER}.`);
  return { name, events: events as string[], condition: readIf(condition), afterMs };
}

function readIf(condition: unknown): HookCondition {
  if (condition === undefined) return ALWAYS;
  if (typeof condition !== "string") throw new HookProblem("if", "must be a text such as status=paid.");
  try {
    return readCondition(condition);
  } catch (thrown) {
    throw new HookProblem("if", thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** A subscriber may bring its own secret. */
function readSigning(sign: unknown, hasSubscribers: boolean): void {
  const { as, secret } = objectOf(sign, ["as", "secret"], "sign");
  if (!SIGNATURES.some((one) => one === as)) {
    throw new HookProblem("sign.as", `is ${shown(as)}; allowed values are ${SIGNATURES.join(", ")}.`);
  }
  if (secret === undefined && hasSubscribers) return;
  if (typeof secret !== "string" || secret === "") {
    throw new HookProblem("sign.secret", 'must be a text. Write { "env": "NAME" } in a file to keep it out of there.');
  }
}

function isDeliveryFault(value: unknown): boolean {
  if (!isJsonObject(value) || !FAULTS.includes(value.fault)) return false;
  const isCount = (number: unknown): boolean =>
    number === undefined || (Number.isInteger(number) && Number(number) > 0 && Number(number) <= MAX_AFTER_MS);
  return isCount(value.count) && isCount(value.ms) && (value.fault === "delay") === (value.ms !== undefined);
}

function objectOf(value: unknown, keys: readonly string[], what: string): JsonObject {
  if (!isJsonObject(value)) throw new HookProblem("", `must be an object: ${what}.`);
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) throw new HookProblem(key, `is not a setting of ${what}.${didYouMean(key, keys)}`);
  }
  return value;
}

export function isWebAddress(value: unknown): value is string {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(typeof value === "string" ? maskAddress(value) : value);
}
