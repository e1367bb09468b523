import type { FaultRule } from "../../api/faults.ts";
import { effectOf } from "./fault-words.ts";

/** One step: how many requests it is for, and what happens to them. */
export interface SequenceStep {
  /** Undefined for the last one, which goes on. */
  readonly times: number | undefined;
  /** None: the response is as usual. */
  readonly effects: readonly FaultRule[];
}

export type Sequence =
  | { readonly kind: "steps"; readonly steps: readonly SequenceStep[] }
  | { readonly kind: "problem"; readonly message: string };

const WORDS: Readonly<Record<string, readonly FaultRule[]>> = {
  ok: [],
  slow: [{ fault: "latency", ms: 3000 }],
  broken: [{ fault: "malformed-json" }],
  reset: [{ fault: "reset" }],
  closed: [{ fault: "empty-reply" }],
  timeout: [{ fault: "timeout" }],
};
const STEP = /^(?:(\d{1,6}) ?(?:x|×|times) ?)?([a-z]+|\d{3})?(?: ?after (\d{1,9}(?:\.\d{1,3})?) ?(ms|s))?$/;

/** Reads "2 x 503, then 200 after 3 s". A step without a number is for one request; the last one goes on. */
export function readSequence(text: string): Sequence {
  const parts = text
    .toLowerCase()
    .split(/,|;|\bthen\b/)
    .map((part) => part.trim().replace(/\s+/g, " "))
    .filter((part) => part !== "");
  const steps: SequenceStep[] = [];
  for (const [at, part] of parts.entries()) {
    const [, times, what = "", delay, unit] = STEP.exec(part) ?? [];
    const effects = effectsOf(what);
    if (!effects || (what === "" && delay === undefined)) return { kind: "problem", message: unreadable(part) };
    const late: FaultRule = { fault: "latency", ms: Math.round(Number(delay) * (unit === "s" ? 1000 : 1)) };
    const isLast = at === parts.length - 1;
    steps.push({
      times: times === undefined ? (isLast ? undefined : 1) : Number(times),
      effects: delay === undefined ? effects : [late, ...effects],
    });
  }
  return { kind: "steps", steps };
}

/** Undefined for a word that means nothing. A response of 2xx is the usual one. */
function effectsOf(what: string): readonly FaultRule[] | undefined {
  if (what === "" || /^2\d\d$/.test(what)) return [];
  if (/^[345]\d\d$/.test(what)) return [{ fault: "status", status: Number(what) }];
  return Object.hasOwn(WORDS, what) ? WORDS[what] : undefined;
}

function unreadable(part: string): string {
  return `“${part}” is no step. Write a status or ${Object.keys(WORDS).join(", ")}, such as “2 x 503” or “ok after 3 s”.`;
}

/** The rules that make the sequence, for the requests that `match` names. */
export function sequenceRules(steps: readonly SequenceStep[], match: Partial<FaultRule>): FaultRule[] {
  let skip = 0;
  return steps.flatMap(({ times, effects }) => {
    const place = { ...(skip > 0 && { skip }), ...(times !== undefined && { count: times }) };
    skip += times ?? 0;
    return effects.map((effect) => ({ ...effect, ...match, ...place }));
  });
}

/** "Requests 1 to 2: Status 503". */
export function stepWords(steps: readonly SequenceStep[]): string[] {
  let next = 1;
  return steps.map(({ times, effects }) => {
    const last = next + (times ?? 0) - 1;
    const which =
      times === undefined ? `From request ${next} on` : times === 1 ? `Request ${next}` : `Requests ${next} to ${last}`;
    next += times ?? 0;
    return `${which}: ${effects.length === 0 ? "as usual" : effects.map(effectOf).join(", ")}`;
  });
}
