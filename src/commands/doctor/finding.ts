/** From worst to best: fails at the start; needs a change; not understood; differs on purpose; works as it is. */
export const LEVELS = ["broken", "change", "check", "differs", "works"] as const;
export type Level = (typeof LEVELS)[number];

/** One observation about a project that uses json-server. */
export interface Finding {
  readonly level: Level;
  /** Relative to the project. */
  readonly file: string;
  /** From 1; undefined for a whole file. */
  readonly line: number | undefined;
  readonly message: string;
  /** How to change it, in one sentence. */
  readonly fix?: string;
}

/** The place of a finding. */
export type Place = Pick<Finding, "file" | "line">;

/** Whether the user must act on it. */
export function needsWork({ level }: Finding): boolean {
  return level === "broken" || level === "change" || level === "check";
}
