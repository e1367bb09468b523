/** From worst to best: the start fails; behaves otherwise than meant; behaves otherwise on purpose; works as it is. */
export const LEVELS = ["broken", "change", "differs", "works"] as const;
export type Level = (typeof LEVELS)[number];

/** One thing noticed in a project that uses json-server. */
export interface Finding {
  readonly level: Level;
  /** Relative to the project. */
  readonly file: string;
  /** From 1; undefined where a whole file is meant. */
  readonly line: number | undefined;
  readonly message: string;
  /** How to change it, in one sentence. */
  readonly fix?: string;
}

/** Where a finding belongs. */
export type Place = Pick<Finding, "file" | "line">;

/** A command, a dependency or an import that names json-server: the switch to standin happens there. */
export interface Mention extends Place {
  readonly text: string;
}

/** Whether a person has something to do about it. */
export function needsWork({ level }: Finding): boolean {
  return level === "broken" || level === "change";
}
