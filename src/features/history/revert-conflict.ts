import { StandinError } from "../../base/errors.ts";
import type { Json } from "../../base/json/json.ts";
import type { Id } from "../../store/ids.ts";

/** A record that has changed again since the version to revert. A state is null where the record is not there. */
export interface RevertConflict {
  readonly collection: string;
  readonly id: Id | null;
  /** As that version left it. */
  readonly base: Json;
  /** As it was before, which the revert would bring back. */
  readonly then: Json;
  readonly now: Json;
}

/** The most conflicts that one response shows. */
const MAX_SHOWN = 100;

/** Ends a revert before it changes anything. */
export class RevertConflicts extends Error {
  readonly conflicts: readonly RevertConflict[];

  constructor(conflicts: readonly RevertConflict[]) {
    super("records have changed again since");
    this.conflicts = conflicts;
  }

  asError(version: number, show: (conflict: RevertConflict) => RevertConflict): StandinError {
    const { conflicts } = this;
    const count = conflicts.length === 1 ? "1 record has" : `${conflicts.length} records have`;
    return new StandinError(
      "REVERT_CONFLICT",
      `${count} changed again since version ${version}, so nothing was reverted. Revert the later versions first, or send ` +
        '{ "fields": true } to take back only the fields that this version changed.',
      {},
      { conflicts: conflicts.slice(0, MAX_SHOWN).map(show), total: conflicts.length },
    );
  }
}
