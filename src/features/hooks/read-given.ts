import { StartError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import type { GivenRules } from "./hook-rules.ts";
import { HookProblem, isWebAddress, readHook, readStep } from "./read-hooks.ts";

interface GivenOptions {
  readonly hooks: readonly JsonObject[];
  readonly timeline: readonly JsonObject[];
  readonly hookTargets: readonly string[];
}

/** Reads the rules of the config. Throws a `StartError` that names the key. */
export function readGiven({ hooks, timeline, hookTargets }: GivenOptions, place: string): GivenRules {
  const rules = {
    hooks: hooks.map((hook, position) => named(place, `hooks[${position}]`, () => readHook(hook))),
    steps: timeline.map((step, position) => named(place, `timeline[${position}]`, () => readStep(step, position))),
    targets: hookTargets,
  };
  const wrong = hookTargets.find((target) => !isWebAddress(target));
  if (wrong !== undefined) {
    throw new StartError(
      `${place}: "hookTargets" has ${JSON.stringify(wrong)}; expected is an origin such as http://localhost:4000.`,
    );
  }
  const names = [...rules.hooks, ...rules.steps].map(({ name }) => name);
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice !== undefined) throw new StartError(`${place}: two hooks or steps of the timeline are named ${twice}.`);
  return rules;
}

function named<T>(place: string, path: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof HookProblem)) throw thrown;
    throw new StartError(`${place}: "${[path, thrown.key].filter(Boolean).join(".")}" ${thrown.message}`);
  }
}
