/** The most positions of a set: they fit into 16 bits. */
export const MAX_POSITIONS = 2 ** 16;
const BITS = 32;
/** For one union at a time. Clean in between. */
const marks = new Uint32Array(MAX_POSITIONS / BITS);

/** The positions of several sets, each below `size`, in ascending order. */
export function unionOf(sets: readonly Uint16Array[], size: number): Uint16Array {
  let most = 0;
  for (const set of sets) most += mark(set);
  return takeMarked(Math.min(most, size), size);
}

/** Returns how many there are. */
function mark(positions: Uint16Array): number {
  for (let at = 0; at < positions.length; at++) marks[positions[at]! >>> 5]! |= 1 << (positions[at]! & (BITS - 1));
  return positions.length;
}

function takeMarked(most: number, size: number): Uint16Array {
  const found = new Uint16Array(most);
  let length = 0;
  for (let at = 0; length < most && at * BITS < size; at++) {
    const last = at * BITS + BITS - 1;
    for (let left = marks[at]!; left !== 0; left &= left - 1) found[length++] = last - Math.clz32(left & -left);
    marks[at] = 0;
  }
  return found.subarray(0, length);
}

/** The positions that two sets have, both in ascending order. */
export function common(some: Uint16Array, others: Uint16Array): Uint16Array {
  const found = new Uint16Array(Math.min(some.length, others.length));
  let length = 0;
  for (let at = 0, next = 0; at < some.length && next < others.length; at++) {
    const position = some[at]!;
    while (next < others.length && others[next]! < position) next++;
    if (others[next] === position) found[length++] = position;
  }
  return found.subarray(0, length);
}
