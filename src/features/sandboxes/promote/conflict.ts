import { StandinError } from "../../../base/errors.ts";
import type { Json } from "../../../base/json/json.ts";
import type { Id } from "../../../store/ids.ts";
import { sealOf } from "../../../store/sealed/sealed-store.ts";
import type { Store } from "../../../store/store.ts";

/** A record that both sides have changed, each in its own way. A version is null where the record is not there. */
export interface Conflict {
  readonly collection: string;
  readonly id: Id | null;
  /** The record when the sandbox began. */
  readonly base: Json;
  readonly main: Json;
  readonly sandbox: Json;
}

/** Conflicts as readers of a store may see them. */
export function sealedConflicts(conflicts: readonly Conflict[], store: Store): readonly Conflict[] {
  const seal = sealOf(store);
  if (!seal) return conflicts;
  return conflicts.map((conflict) => {
    if (conflict.collection !== seal.collection) return conflict;
    const [base = null, main = null, sandbox = null] = [conflict.base, conflict.main, conflict.sandbox].map((value) =>
      seal.without(value),
    );
    return { ...conflict, base, main, sandbox };
  });
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
      `side, or choose one with { "conflicts": "main" } or "sandbox".${hint}`,
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
