import type { Json } from "../../base/json/json.ts";

/** Everything that can be made to go wrong. */
export const FAULT_KINDS = [
  "latency",
  "status",
  "slow-body",
  "truncated-body",
  "malformed-json",
  "reset",
  "empty-reply",
  "timeout",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Milliseconds: the same every time, evenly spread, or log-normal (half of them below the median, a few far above). */
export type Milliseconds =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly sigma: number };

/** The requests that a rule applies to. Members left out match every request. */
export interface FaultMatch {
  readonly method?: string | readonly string[];
  /** Such as `/products/:id` or `/api/*`; compared before and after rewriting. */
  readonly path?: string;
  readonly collection?: string;
  /** The name of one; null for the main data alone. */
  readonly sandbox?: string | null;
  /** From 0 to 1; 1 when left out. */
  readonly probability?: number;
  /** Makes the dice of `probability` and of spread latency fall alike in every run. */
  readonly seed?: number;
  /** How many of the requests pass before it begins. */
  readonly skip?: number;
  /** How often it happens at most. */
  readonly count?: number;
  /** Carry the request out first, then let it fail: the response is lost, the change is not. */
  readonly after?: boolean;
}

/**
 * One rule of what is to go wrong, as it stands in the config file, in `POST /__faults` and in programs.
 *
 * @example
 * const fault: Fault = { fault: "status", status: 503, method: "POST", path: "/products", count: 2 };
 */
export type Fault = FaultMatch &
  (
    | { readonly fault: "latency"; readonly ms: Milliseconds }
    | {
        readonly fault: "status";
        readonly status: number;
        readonly body?: Json;
        readonly headers?: Readonly<Record<string, string>>;
      }
    | { readonly fault: "slow-body"; readonly bytesPerSecond: number }
    /** `bytes` of the body arrive; half of it when left out. */
    | { readonly fault: "truncated-body"; readonly bytes?: number }
    | { readonly fault: "malformed-json" }
    | { readonly fault: "reset" }
    | { readonly fault: "empty-reply" }
    /** Nothing comes, until the client leaves or `ms` have passed. */
    | { readonly fault: "timeout"; readonly ms?: number }
  );
