import type { Exchange } from "../../../http/exchange.ts";

/** Differences that a client may break on. */
const BREAKING = ["operation gone", "field gone", "type changed", "null", "envelope", "status", "media type"] as const;
/** Differences that a client should bear. */
const BEARABLE = ["new field", "new value", "field sometimes missing"] as const;

export type DriftKind = (typeof BREAKING)[number] | (typeof BEARABLE)[number];

/** A difference between an API as it was and as it is now. Never has a value of the API but for words such as statuses. */
export interface DriftFinding {
  readonly kind: DriftKind;
  /** `GET /products/{productId}` */
  readonly operation: string;
  /** JSON pointer to the place in the body, with `*` for any element; empty for the whole body or response. */
  readonly pointer: string;
  /** One line: "was string, is integer". */
  readonly message: string;
}

export function isBreaking({ kind }: Pick<DriftFinding, "kind">): boolean {
  return BREAKING.some((one) => one === kind);
}

/** An operation that could not be asked, or whose response says nothing about its shape. */
export interface NotAsked {
  readonly operation: string;
  readonly why: string;
  /** Whether it was tried, so that the comparison is not whole. */
  readonly isFailure: boolean;
}

/** Everything that a comparison found. */
export interface Drift {
  readonly findings: readonly DriftFinding[];
  readonly notAsked: readonly NotAsked[];
  readonly operations: number;
  readonly exchanges: readonly Exchange[];
}
