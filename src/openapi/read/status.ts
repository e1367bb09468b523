/** Codes that one response covers when they are requested by number. */
export interface StatusRange {
  readonly min: number;
  readonly max: number;
}

export const ANY_STATUS: StatusRange = { min: 200, max: 599 };

/** Codes of a final response; those below 200 announce another one. */
export function isFinalStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= ANY_STATUS.min && (value as number) <= ANY_STATUS.max;
}
