import type { Work } from "../../base/slices.ts";
import { refuseMemberEdit } from "../refuse-member-edit.ts";
import type { Change, MemberEdit, Rearrangement, StoreEvent, TransactionWrite } from "../store.ts";
import { renderTexts } from "../stored-record.ts";
import type { State } from "./state.ts";

/** Data with other members and records, and the steps that led to it, of which each has a version. */
export interface Rearranged {
  readonly state: State;
  readonly change: Change;
  readonly steps: readonly StoreEvent[];
}

/** Creates members, carries out a transaction and removes members, in a copy that is to take the place of the data. */
export function* rearranged(
  present: State,
  { created, write, removed }: Rearrangement,
  plan: (state: State, write: TransactionWrite) => Work<Change>,
): Work<Rearranged> {
  const state = present.successor();
  const steps: StoreEvent[] = [];
  const alter = (edit: MemberEdit): void => {
    refuseMemberEdit(edit, state.memberNames());
    state.alter(edit);
    steps.push({ kind: "members", version: state.version, edit });
  };
  for (const { name, kind } of created) {
    if (state.memberNames().get(name) === undefined) alter({ kind: "created", name, type: kind });
  }
  const change = yield* plan(state, write);
  if (change.edits.length > 0) {
    yield* renderTexts(change.edits);
    yield* state.prepare(change);
    if (change.isOrdered) state.commitAtOnce(change);
    else state.commit(change);
    steps.push({ kind: "change", change });
  }
  for (const name of removed()) if (isEmpty(state, name)) alter({ kind: "removed", name });
  return { state, change, steps };
}

/** Others may have written to the collection meanwhile. */
function isEmpty(state: State, name: string): boolean {
  return state.collection(name)?.size === 0 || state.singleton(name) !== undefined;
}
