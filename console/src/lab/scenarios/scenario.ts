import { MOUNT } from "../../api/base.ts";
import type { FaultRule } from "../../api/faults.ts";
import { isJsonObject, parseJson } from "../../api/json.ts";
import { createStore } from "../../api/store.ts";
import { readSequence, type SequenceStep, sequenceRules } from "../faults/fault-sequence.ts";

/** One state of a scenario: the data, and what happens to requests. */
export interface ScenarioStep {
  /** The snapshot that the data becomes; empty to go on with it as it is. */
  readonly snapshot: string;
  /** As `readSequence` reads it; empty for no fault. */
  readonly faults: string;
}

/** A named sequence of states, to be played one after the other. Kept in this browser. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly ScenarioStep[];
}

const PLACE = `standin-scenarios:${MOUNT}`;

export const scenarios = createStore<readonly Scenario[]>(read());

/** Keeps one; that of the same name is replaced. */
export function saveScenario(scenario: Scenario): void {
  store([...without(scenario.name), scenario]);
}

export function removeScenario({ name }: Scenario): void {
  store(without(name));
}

function without(name: string): Scenario[] {
  return scenarios.get().filter((one) => one.name !== name);
}

function store(kept: readonly Scenario[]): void {
  localStorage.setItem(PLACE, JSON.stringify(kept));
  scenarios.set(kept);
}

function read(): Scenario[] {
  const kept = parseJson(globalThis.localStorage?.getItem(PLACE) ?? "[]");
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one) => {
    const { name, steps } = isJsonObject(one) ? one : {};
    if (typeof name !== "string" || !Array.isArray(steps)) return [];
    const read = steps.map((step) => {
      const { snapshot = "", faults = "" } = isJsonObject(step) ? step : {};
      return { snapshot: String(snapshot), faults: String(faults) };
    });
    return [{ name, steps: read }];
  });
}

/** The faults of a step; none where its line cannot be read. */
export function sequenceOf({ faults }: ScenarioStep): readonly SequenceStep[] {
  const read = readSequence(faults);
  return read.kind === "steps" ? read.steps : [];
}

export function rulesIn(step: ScenarioStep): FaultRule[] {
  return sequenceRules(sequenceOf(step), {});
}

/** "Data of early · 2 x 503, then ok". */
export function stepText({ snapshot, faults }: ScenarioStep): string {
  const parts = [snapshot === "" ? "" : `Data of ${snapshot}`, faults].filter((part) => part !== "");
  return parts.length === 0 ? "As usual" : parts.join(" · ");
}
