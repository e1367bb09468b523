/** The most positions of a set: they fit into 16 bits. */
export const MAX_POSITIONS = 2 ** 16;
/** In ascending order. */
export type Numbers = Uint16Array | Uint32Array;
const BITS = 32;
/** For one union at a time. Clean in between. */
const marks = new Uint32Array(MAX_POSITIONS / BITS);
/** How many times as long a list must be for a search in it to be faster than reading it. */
const MUCH_LONGER = 16;

/** Sets of positions in one array: set n is from starts[n] up to, not including, starts[n + 1]. */
export interface Postings {
  readonly starts: Uint32Array;
  readonly postings: Uint16Array;
}

/** The positions of several sets, each below `size`, in ascending order. */
export function unionOf(sets: readonly Numbers[], size: number): Numbers {
  let most = 0;
  for (const set of sets) most += mark(set, 0, set.length);
  return takeMarked(Math.min(most, size), size);
}

/** Sets of positions, each below `size`. */
export class PostingSets {
  readonly #all: Postings;
  readonly size: number;

  constructor(all: Postings, size: number) {
    this.#all = all;
    this.size = size;
  }

  /** The positions that are in one of some sets. */
  union(sets: readonly number[]): Numbers {
    const only = this.#onlyOf(sets);
    return only ?? takeMarked(Math.min(markPostings(this.#all, sets), this.size), this.size);
  }

  /** Those of the positions that are in one of some sets. */
  common(some: Numbers, sets: readonly number[]): Numbers {
    const only = this.#onlyOf(sets);
    if (only) return common(some, only);
    markPostings(this.#all, sets);
    const found = some.slice();
    let length = 0;
    for (const position of some) {
      if (((marks[position >>> 5] ?? 0) >>> (position & (BITS - 1))) & 1) found[length++] = position;
    }
    marks.fill(0);
    return found.subarray(0, length);
  }

  #onlyOf(sets: readonly number[]): Numbers | undefined {
    const { starts, postings } = this.#all;
    const [first] = sets;
    return first !== undefined && sets.length === 1 ? postings.subarray(starts[first], starts[first + 1]) : undefined;
  }
}

/** Returns how many positions there are. An array for each set would take longer to create than to read. */
function markPostings({ starts, postings }: Postings, sets: readonly number[]): number {
  let count = 0;
  for (const set of sets) count += mark(postings, starts[set] ?? 0, starts[set + 1] ?? 0);
  return count;
}

/** Returns how many there are. */
function mark(positions: Numbers, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const position = positions[at] ?? 0;
    marks[position >>> 5] = (marks[position >>> 5] ?? 0) | (1 << (position & (BITS - 1)));
  }
  return to - from;
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
  const [fewer, more] = some.length <= others.length ? [some, others] : [others, some];
  const found = fewer.slice();
  const length = fewer.length * MUCH_LONGER < more.length ? seek(fewer, more, found) : merge(fewer, more, found);
  return found.subarray(0, length);
}

// Inner loops: positional parameters, and no read beyond the end of a list, which is slow.

function merge(some: Numbers, others: Numbers, found: Numbers): number {
  let length = 0;
  for (let at = 0, next = 0; at < some.length && next < others.length; ) {
    const one = some[at] ?? 0;
    const other = others[next] ?? 0;
    if (one === other) found[length++] = one;
    if (one <= other) at++;
    if (other <= one) next++;
  }
  return length;
}

function seek(some: Numbers, others: Numbers, found: Numbers): number {
  let length = 0;
  let from = 0;
  for (const number of some) {
    for (let to = others.length; from < to; ) {
      const middle = (from + to) >>> 1;
      if ((others[middle] ?? 0) < number) from = middle + 1;
      else to = middle;
    }
    if (from === others.length) break;
    if (others[from] === number) found[length++] = number;
  }
  return length;
}
