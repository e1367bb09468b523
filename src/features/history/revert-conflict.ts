import { StandinError } from "../../base/errors.ts";
import type { Json } from "../../base/json/json.ts";
import type { Id } from "../../store/ids.ts";

/** A value as a version left it, as it was before, and now. */
export interface ThreeStates<T> {
  readonly base: T;
  readonly earlier: T;
  readonly now: T;
}

/** A record that has changed again since the version to revert. A state is null where the record is not there. */
export interface RevertConflict extends ThreeStates<Json> {
  readonly collection: string;
  readonly id: Id | null;
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

  /** `show` leaves out what no response may show of a record. */
  asError(version: number, show: (value: Json, collection: string) => Json): StandinError {
    const { conflicts } = this;
    const count = conflicts.length === 1 ? "1 record has" : `${conflicts.length} records have`;
    return new StandinError(
      "REVERT_CONFLICT",
      `${count} changed again since version ${version}, so nothing was reverted. Revert the later versions first, or send ` +
        '{ "fields": true } to take back only the fields that this version changed.',
      {},
      {
        conflicts: conflicts.slice(0, MAX_SHOWN).map((conflict) => shownConflict(conflict, show)),
        total: conflicts.length,
      },
    );
  }
}

function shownConflict({ collection, id, ...states }: RevertConflict, show: (value: Json, collection: string) => Json) {
  const [base, earlier, now] = [states.base, states.earlier, states.now].map((value) => show(value, collection));
  // A literal with the name `then` would look like a promise.
  return Object.fromEntries(Object.entries({ collection, id, base, earlier, now }).map(inPublic));
}

function inPublic([name, value]: [string, unknown]): [string, unknown] {
  return [name === "earlier" ? "then" : name, value];
}
