/** The most positions of a set: they fit into 16 bits. */
export const MAX_POSITIONS = 2 ** 16;
/** In ascending order. */
export type Numbers = Uint16Array | Uint32Array;
const BITS = 32;
/** For one union at a time. Clean in between. */
const marks = new Uint32Array(MAX_POSITIONS / BITS);

/** The positions of several sets, each below `size`, in ascending order. */
export function unionOf(sets: readonly Numbers[], size: number): Numbers {
  let most = 0;
  for (const set of sets) most += mark(set);
  return takeMarked(Math.min(most, size), size);
}

/** Returns how many there are. */
function mark(positions: Numbers): number {
  for (const position of positions) marks[position >>> 5]! |= 1 << (position & (BITS - 1));
  return positions.length;
}

function takeMarked(most: number, size: number): Numbers {
  const found = new Uint16Array(most);
  let length = 0;
  for (let at = 0; length < most && at * BITS < size; at++) {
    const last = at * BITS + BITS - 1;
    for (let left = marks[at] ?? 0; left !== 0; left &= left - 1) found[length++] = last - Math.clz32(left & -left);
    marks[at] = 0;
  }
  return found.subarray(0, length);
}

/** The numbers that two lists have, both in ascending order. */
export function common(some: Numbers, others: Numbers): Numbers {
  const found = some.slice(0, Math.min(some.length, others.length));
  let length = 0;
  let next = 0;
  for (const number of some) {
    while ((others[next] ?? number) < number) next++;
    if (others[next] === number) found[length++] = number;
    else if (next >= others.length) break;
  }
  return found.subarray(0, length);
}
