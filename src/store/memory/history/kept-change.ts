import { STEP, type Work } from "../../../base/slices.ts";
import type { AlteredMember, RecordCounts } from "../../history.ts";
import type { Edit } from "../../store.ts";
import type { MembersBefore, State, StateMember } from "../state.ts";

/** Why the way back from a large change is not known. */
export const TOO_LARGE = "the change was too large to keep";

/** A version of the history, as it is kept. */
export interface KeptChange {
  readonly version: number;
  readonly time: number;
  readonly by: string;
  readonly cause: string | undefined;
  /** About the memory of the records that only the past has. */
  readonly bytes: number;
  /** Undefined where the way back behind this version is not known. */
  readonly back: WayBack | undefined;
  /** Why it is not. */
  readonly lost?: string | undefined;
  /** Found when first asked for. */
  counts?: Readonly<Record<string, RecordCounts>> | undefined;
  members?: readonly AlteredMember[] | undefined;
}

/** The way back to the data before a version. */
export type WayBack =
  | { readonly kind: "change"; readonly edits: readonly Edit[]; readonly isOrdered?: boolean }
  | { readonly kind: "members"; readonly edit: AlteredMember; readonly before: MembersBefore }
  | { readonly kind: "exchange"; readonly state: State }
  /** All data was replaced by an earlier process: those members are not as they were, or undefined where there were none. */
  | {
      readonly kind: "replaced";
      readonly edits: readonly Edit[];
      readonly members: ReadonlyMap<string, StateMember | undefined>;
      readonly before: MembersBefore;
    };

/** The edits of each member, by what they do. */
export function* countEdits(
  edits: readonly Pick<Edit, "name" | "before" | "after">[],
): Work<Readonly<Record<string, RecordCounts>>> {
  const counts = new Map<string, RecordCounts>();
  for (const [position, { name, before, after }] of edits.entries()) {
    let ofMember = counts.get(name);
    if (!ofMember) {
      ofMember = { created: 0, updated: 0, removed: 0 };
      counts.set(name, ofMember);
    }
    ofMember[before ? (after ? "updated" : "removed") : "created"]++;
    if (position % STEP === STEP - 1) yield;
  }
  // Not by assignment: a collection may have any name.
  return Object.fromEntries(counts);
}
