import { askJson } from "./ask.ts";
import { SANDBOX } from "./base.ts";
import { isSameJson, type Json } from "./json.ts";
import { news } from "./live-data.ts";
import { Refusal } from "./refusal.ts";
import { createStore } from "./store.ts";

export const FAULT_KINDS = [
  "status",
  "latency",
  "timeout",
  "reset",
  "empty-reply",
  "slow-body",
  "truncated-body",
  "malformed-json",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Milliseconds: fixed, evenly spread, or log-normal. */
export type Milliseconds =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly sigma: number };

/** A fault rule, as `POST /__faults` takes it. */
export interface FaultRule {
  readonly fault: FaultKind;
  readonly method?: string | readonly string[];
  readonly path?: string;
  readonly collection?: string;
  /** Null for the main data alone. */
  readonly sandbox?: string | null;
  readonly probability?: number;
  readonly seed?: number;
  readonly skip?: number;
  readonly count?: number;
  readonly after?: boolean;
  readonly ms?: Milliseconds;
  readonly status?: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytesPerSecond?: number;
  readonly bytes?: number;
}

/** An active rule, as `GET /__faults` lists it. */
export interface ActiveFault extends FaultRule {
  readonly id: string;
  /** How often it happened. */
  readonly hits: number;
  /** Whether it is switched off. It keeps its hits. */
  readonly off?: boolean;
}

/** The rule of a fault, to add it again or to show it as code. */
export function ruleOf({ id: _id, hits: _hits, off: _off, ...rule }: ActiveFault): FaultRule {
  return rule;
}

/** The faults that requests to this data can meet, as of the last `loadFaults`. */
export const faults = createStore<readonly ActiveFault[]>([]);

/** Keeps `faults` up to date, by the news of the server. */
export function followFaults(): void {
  const load = (): void => void loadFaults().catch(() => undefined);
  load();
  news.listen(({ topic }) => {
    if (topic === "faults" || topic === "any") load();
  });
}

export async function loadFaults(): Promise<void> {
  const { faults: found } = await askJson<{ faults: ActiveFault[] }>("GET", "/__faults", { isMain: true });
  // A fault without a sandbox happens in all of them.
  const here = found.filter(({ sandbox }) => SANDBOX === undefined || sandbox === undefined || sandbox === SANDBOX);
  if (!isSameJson(here as unknown as Json, faults.get() as unknown as Json)) faults.set(here);
}

/** Adds all of them or none, each for the sandbox that it names. */
export async function addFault(...rules: readonly FaultRule[]): Promise<readonly ActiveFault[]> {
  const body = rules as unknown as Json;
  const added = await askJson<ActiveFault[]>("POST", "/__faults", { body, isMain: true });
  await loadFaults();
  return added;
}

/** Removes faults, those of the config file included. */
export async function removeFaults(gone: readonly ActiveFault[]): Promise<void> {
  for (const { id } of gone) await removeById(id);
  await loadFaults();
}

/** Switches faults off, or on again. */
export async function turnFaults(turned: readonly ActiveFault[], off: boolean): Promise<void> {
  try {
    for (const { id } of turned) await askJson("PATCH", faultPath(id), { isMain: true, body: { off } });
  } finally {
    await loadFaults();
  }
}

/** Whether requests can still meet it. */
export function isActive({ off = false, count, hits }: ActiveFault): boolean {
  return !off && (count === undefined || hits < count);
}

function faultPath(id: string): string {
  return `/__faults/${encodeURIComponent(id)}`;
}

async function removeById(id: string): Promise<void> {
  try {
    await askJson("DELETE", faultPath(id), { isMain: true });
  } catch (thrown) {
    // Another client may have removed it.
    if (!(thrown instanceof Refusal) || thrown.code !== "FAULT_NOT_FOUND") throw thrown;
  }
}
