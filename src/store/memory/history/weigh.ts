import { bytesOfRecord, POINTER_BYTES, type StoredRecord } from "../../stored-record.ts";
import { Collection } from "../collection.ts";
import type { State, StateMember } from "../state.ts";

/** Records whose size is looked at where a whole collection has to be weighed. */
const WEIGHED = 50;
/** The birth of data whose every record counts. */
export const ALL = -1;

/**
 * About how much memory a member takes that `other` does not share, with its records above the version `birth`: by some of
 * them where it has many.
 */
export function bytesOfMember(member: StateMember | undefined, birth: number, other?: StateMember): number {
  if (!member || member === other) return 0;
  const bytesOf = (record: StoredRecord): number => (record.version > birth ? bytesOfRecord(record) : 0);
  if (!(member instanceof Collection)) return member.kind === "singleton" ? bytesOf(member.record) : 0;
  const { size } = member;
  const step = Math.max(1, Math.floor(size / WEIGHED));
  let weighed = 0;
  let bytes = 0;
  for (let position = 0; position < size; position += step) {
    const [record] = member.slice(position, position + 1);
    if (record && !(other instanceof Collection && other.has(record))) bytes += bytesOf(record);
    weighed++;
  }
  return weighed === 0 ? 0 : (POINTER_BYTES + bytes / weighed) * size;
}

/** The same for a state that gives way to another one. */
export function bytesOfExchange(state: State, next: State): number {
  const others = new Map(next.members());
  let bytes = 0;
  for (const [name, member] of state.members()) bytes += bytesOfMember(member, ALL, others.get(name));
  return bytes;
}
