import type { Pattern } from "./pattern.ts";

/** Pattern size times text length: up to here a match takes a few milliseconds, even if the engine must prepare for it. */
const QUICK_WORK = 20_000;
/** A pattern of this size has so few states that preparing them all is quick. */
const SMALL_PATTERN = 12;
/** Beyond this, a text is not matched at all. */
const MAX_WORK = 1_000_000;
const MAX_LENGTH = 100_000;
/** The longest time for the patterns of one record. */
const MAX_MS = 20;

/** Judging a record would take too long. */
export class TooCostly extends Error {}

/** The work that patterns have done for the record that is being judged. */
let workDone = 0;
let startedAt = 0;

/** Begins a record: its patterns have all their time again. */
export function beginPatterns(): void {
  workDone = 0;
}

/**
 * Matches a text. A hostile pair of pattern and text takes long because the engine prepares states on the way, so a longer
 * text is matched in growing pieces: each one prepares a part, until the whole is quick or the time is up.
 */
export function testPattern(pattern: Pattern, text: string): boolean {
  const work = pattern.size * text.length;
  if (workDone + work <= QUICK_WORK) {
    workDone += work;
    return pattern.test(text);
  }
  if (work > MAX_WORK || text.length > MAX_LENGTH) {
    const most = Math.min(MAX_LENGTH, Math.floor(MAX_WORK / pattern.size));
    throw new TooCostly(
      `has ${text.length} characters, which is too long to be matched against ${pattern.source}; at most ${most} are`,
    );
  }
  if (workDone <= QUICK_WORK) startedAt = performance.now();
  else if (performance.now() - startedAt > MAX_MS) throw new TooCostly("has too many texts to be matched");
  workDone += QUICK_WORK;
  const first = pattern.size <= SMALL_PATTERN ? text.length : Math.max(1, Math.floor(QUICK_WORK / pattern.size));
  for (let length = first; ; length += Math.max(first, length >> 3)) {
    const result = pattern.test(length < text.length ? text.slice(0, length) : text);
    if (length >= text.length) return result;
    if (performance.now() - startedAt > MAX_MS) {
      throw new TooCostly(`takes too long to be matched against ${pattern.source}`);
    }
  }
}
