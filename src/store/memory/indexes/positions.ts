/** The most positions of a set: they fit into 16 bits. */
export const MAX_POSITIONS = 2 ** 16;
/** In ascending order; either all lists of a kind have 16 bits, or all have 32. */
export type Numbers = Uint16Array | Uint32Array;
const BITS = 32;
const ALL = 2 ** BITS - 1;
/** For one union or intersection at a time. Clean in between. */
const marks = new Uint32Array(MAX_POSITIONS / BITS);
/** Which of the marks are set, so that few positions are found without a look at all marks. */
const groups = new Uint32Array(marks.length / BITS);
/** For one result at a time, until its length is known; a place more than positions, for one that is overwritten. */
const scratch = new Uint16Array(MAX_POSITIONS + 1);
/** How many times as long a list must be for a search in it to be faster than reading it. */
const MUCH_LONGER = 16;

/** Sets of positions in one array: set n is from starts[n] up to, not including, starts[n + 1]. */
export interface Postings {
  readonly starts: Uint32Array;
  readonly postings: Uint16Array;
}

/** The positions of several sets in ascending order. */
export function unionOf(sets: readonly Numbers[]): Numbers {
  for (const set of sets) mark(set, 0, set.length);
  return takeMarked();
}

/** Sets of positions. */
export class PostingSets {
  readonly #all: Postings;

  constructor(all: Postings) {
    this.#all = all;
  }

  /** The positions that are in one of some sets. */
  union(sets: readonly number[]): Numbers {
    const only = this.#onlyOf(sets);
    if (only) return only;
    this.#mark(sets);
    return takeMarked();
  }

  /** Those of the positions that are in one of some sets. */
  common(some: Numbers, sets: readonly number[]): Numbers {
    const only = this.#onlyOf(sets);
    if (only) return common(some, only);
    this.#mark(sets);
    const length = copyMarked(some);
    marks.fill(0);
    groups.fill(0);
    return scratch.slice(0, length);
  }

  #mark(sets: readonly number[]): void {
    const { starts, postings } = this.#all;
    let count = 0;
    for (const set of sets) count += (starts[set + 1] ?? 0) - (starts[set] ?? 0);
    const isDense = count > marks.length;
    // An array for each set would take longer to create than to read.
    for (const set of sets) {
      if (isDense) markMany(postings, starts[set] ?? 0, starts[set + 1] ?? 0);
      else mark(postings, starts[set] ?? 0, starts[set + 1] ?? 0);
    }
    if (isDense) groups.fill(ALL);
  }

  #onlyOf(sets: readonly number[]): Numbers | undefined {
    const { starts, postings } = this.#all;
    const [first] = sets;
    return first !== undefined && sets.length === 1 ? postings.subarray(starts[first], starts[first + 1]) : undefined;
  }
}

function mark(positions: Numbers, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    const position = positions[at] ?? 0;
    const place = position >>> 5;
    marks[place] = (marks[place] ?? 0) | (1 << (position & (BITS - 1)));
    groups[place >>> 5] = (groups[place >>> 5] ?? 0) | (1 << (place & (BITS - 1)));
  }
}

/** Sets no groups: there are so many positions that most marks get set. */
function markMany(positions: Uint16Array, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    const position = positions[at] ?? 0;
    marks[position >>> 5] = (marks[position >>> 5] ?? 0) | (1 << (position & (BITS - 1)));
  }
}

/** The marked positions; removes the marks. */
function takeMarked(): Numbers {
  let length = 0;
  for (let group = 0; group < groups.length; group++) {
    for (let some = groups[group] ?? 0; some !== 0; some &= some - 1) {
      const place = group * BITS + lowestBit(some);
      for (let left = marks[place] ?? 0; left !== 0; left &= left - 1) {
        scratch[length++] = place * BITS + lowestBit(left);
      }
      marks[place] = 0;
    }
    groups[group] = 0;
  }
  return scratch.slice(0, length);
}

function lowestBit(bits: number): number {
  return BITS - 1 - Math.clz32(bits & -bits);
}

/** Copies those positions that are marked, and returns their number. No branch depends on a mark: it would be guessed wrong. */
function copyMarked(some: Numbers): number {
  let length = 0;
  for (let at = 0; at < some.length; at++) {
    const position = some[at] ?? 0;
    scratch[length] = position;
    length += ((marks[position >>> 5] ?? 0) >>> (position & (BITS - 1))) & 1;
  }
  return length;
}

/** The numbers that two lists have, both in ascending order. */
export function common(some: Numbers, others: Numbers): Numbers {
  const [fewer, more] = some.length <= others.length ? [some, others] : [others, some];
  const isMarked = more instanceof Uint16Array && fewer.length * MUCH_LONGER >= more.length;
  if (isMarked) return commonByMarks(fewer, more);
  const found = fewer.slice();
  return found.subarray(0, seek(fewer, more, found));
}

function commonByMarks(fewer: Numbers, more: Uint16Array): Numbers {
  mark(fewer, 0, fewer.length);
  const length = copyMarked(more);
  for (const position of fewer) marks[position >>> 5] = 0;
  groups.fill(0);
  return scratch.slice(0, length);
}

/** Inner loop: positional parameters, and no read beyond the end of a list, which is slow. */
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
