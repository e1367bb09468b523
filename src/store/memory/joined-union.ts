import type { Access } from "./access.ts";
import { type JoinedRecords, joinedInOrder } from "./in-order.ts";
import { MAX_JOINED_RECORDS } from "./indexes/joined-texts.ts";

/** The JSON texts of the records of several accesses; undefined where they are too many, or one has to look at its records. */
export function joinedUnion(accesses: readonly Access[], estimate: number): JoinedRecords | undefined {
  if (estimate > MAX_JOINED_RECORDS || !accesses.every(hasTexts)) return undefined;
  const texts: string[] = [];
  const slots: number[] = [];
  for (const access of accesses) access.collectTexts?.(texts, slots);
  return joinedInOrder(texts, slots);
}

function hasTexts({ isExact, collectTexts }: Access): boolean {
  return isExact && collectTexts !== undefined;
}
