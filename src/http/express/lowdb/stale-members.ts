import { contentOf, type Exported } from "../../../store/store.ts";
import { sameJson } from "./same-json.ts";

interface Shown {
  /** The members of a state. */
  readonly members: ReadonlyMap<string, unknown>;
  /** Whether an array has rows that the state had before. */
  readonly hasOwnRows: (name: string, rows: readonly unknown[]) => boolean;
  /** The data as a program may find it in files that lack the latest changes. */
  readonly copies: readonly (readonly Exported[])[];
}

/**
 * The members that a program has read from such files, and put in the place of those it found. None where it has put any
 * other collection in its place, or nothing but empty ones, which are more likely to be meant.
 */
export function staleMembers({ members, hasOwnRows, copies }: Shown): string[] {
  const stale: string[] = [];
  let hasRows = false;
  for (const [name, value] of members) {
    const isCopied = copies.some((copy) =>
      isShownAs(
        value,
        copy.find((member) => member.name === name),
      ),
    );
    if (Array.isArray(value)) {
      if (hasOwnRows(name, value)) continue;
      if (!isCopied) return [];
      hasRows ||= value.length > 0;
    }
    if (isCopied) stale.push(name);
  }
  return hasRows ? stale : [];
}

function isShownAs(value: unknown, member: Exported | undefined): boolean {
  if (member?.kind !== "collection") return member !== undefined && sameJson(value, contentOf(member));
  const { records } = member;
  if (!Array.isArray(value) || value.length !== records.length) return false;
  return records.every((record, at) => sameJson(value[at], record.value));
}
