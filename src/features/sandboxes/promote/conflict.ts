import { StandinError } from "../../../base/errors.ts";
import type { Json } from "../../../base/json/json.ts";
import type { Id } from "../../../store/ids.ts";

/** A record that both sides have changed, each in its own way. A version is null where the record is not there. */
export interface Conflict {
  readonly collection: string;
  readonly id: Id | null;
  /** The record when the sandbox began. */
  readonly base: Json;
  readonly main: Json;
  readonly sandbox: Json;
}

/** The most conflicts that one response shows. */
const MAX_SHOWN = 100;

/** Ends a promotion before it changes anything. */
export class ConflictsFound extends Error {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super("the sandbox and the main data have changed the same records");
    this.conflicts = conflicts;
  }
}

export function conflictError(name: string, conflicts: readonly Conflict[]): StandinError {
  const count = conflicts.length === 1 ? "1 record" : `${conflicts.length} records`;
  const isTwice = conflicts.some(({ base, main, sandbox }) => base === null && main !== null && sandbox !== null);
  const hint = isTwice ? ' { "renumber": true } gives records that both sides created new ids.' : "";
  return new StandinError(
    "SANDBOX_CONFLICT",
    `Sandbox ${name} and the main data have changed ${count} differently; nothing was promoted. Make them equal on one ` +
      `side, and try again.${hint}`,
    {},
    { conflicts: conflicts.slice(0, MAX_SHOWN), total: conflicts.length },
  );
}

export function dataExchanged(name: string): StandinError {
  return new StandinError(
    "SANDBOX_CONFLICT",
    `The main data was replaced (reset, restored or reloaded) since sandbox ${name} was created, so its changes can no ` +
      "longer be applied; nothing was promoted. Create a new sandbox, and repeat the changes there.",
    {},
    { conflicts: [], total: 0 },
  );
}
