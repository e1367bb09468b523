import type { Json } from "../../../base/json/json.ts";
import type { MemberEdit } from "../../store.ts";
import type { Hashes, JournalEdit } from "../journal/journal-format.ts";
import type { MemberDelta, PastPart } from "./past-text.ts";

/** The beginning of a line: its version, when that was made, and by whom. */
interface PastHead extends Omit<PastPart, "lost"> {
  readonly v: number;
}

/** A change: the records before those edits that have one, in their order. */
export interface PastEdits extends PastHead {
  readonly edits: readonly JournalEdit[];
  readonly was?: readonly Json[];
}

/** A member that came, went or got another name; one that went stood at a position, with content. */
export interface PastMember extends PastHead {
  readonly member: MemberEdit;
  readonly was?: { readonly at: number; readonly content: Json };
}

/** All data was replaced: the names of the members before, and the way back for each that is not as it was. */
export interface PastSwap extends PastHead {
  readonly names: readonly string[];
  readonly swap: readonly MemberDelta[];
}

/** A version whose way back is not known, and why. */
export interface PastLost extends PastHead {
  readonly lost: string;
}

/** All versions up to `v` are in the lines before, and the data files with these hashes have them. */
export interface PastFold {
  readonly v: number;
  readonly t: number;
  readonly files: Hashes;
  /** No version before it is wanted: the lines lead on from here. Says nothing of files. */
  readonly isFloor?: true;
}

export type PastLine = PastEdits | PastMember | PastSwap | PastLost;
