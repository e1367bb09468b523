/** How thoroughly a run measures. */
export interface Plan {
  readonly isQuick: boolean;
  readonly rounds: number;
  /** Before the first round: long enough for the compiler and for indexes that are built in the background. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly connections: number;
  /** Starts of each server where starting is measured. */
  readonly starts: number;
}

export const FULL: Plan = { isQuick: false, rounds: 3, warmUpSeconds: 3, seconds: 2, connections: 32, starts: 5 };
export const QUICK: Plan = { ...FULL, isQuick: true, rounds: 1, warmUpSeconds: 1, seconds: 1, starts: 2 };

/** Tells how far a run is, apart from its result. */
export function say(text: string): void {
  console.error(text);
}
