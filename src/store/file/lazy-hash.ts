import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { atOnce, inSlices, type Work } from "../../base/slices.ts";

/** Characters hashed between two pauses. */
const STEP = 256 * 1024;
/** Characters; a shorter text is hashed at once. */
const MIN_LAZY = 4 * 1024 * 1024;

/**
 * The hash of a text's bytes. A long text is hashed in slices beside the first requests, because only the first write
 * needs the hash; reading `value` earlier computes it at once.
 */
export class LazyHash {
  #work: Work<string> | undefined;
  #value: string | undefined;
  /** Settles when the text is no longer needed. */
  readonly done: Promise<void>;

  constructor(text: string) {
    this.#work = this.#hashing(text);
    if (text.length < MIN_LAZY) atOnce(this.#work);
    this.done = nextTurn().then(() => inSlices(this.#rest()));
  }

  get value(): string {
    if (this.#work) atOnce(this.#work);
    return this.#value as string;
  }

  /** Hashes the rest of the text, unless reading `value` has done so. */
  *#rest(): Work<void> {
    while (this.#work && !this.#work.next().done) yield;
  }

  *#hashing(text: string): Work<string> {
    const hash = createHash("sha256");
    for (let from = 0; from < text.length; ) {
      const end = endOfPart(text, from);
      hash.update(text.slice(from, end));
      from = end;
      yield;
    }
    this.#value = hash.digest("hex");
    this.#work = undefined;
    return this.#value;
  }
}

/** The end of the next part, never within a surrogate pair. */
function endOfPart(text: string, from: number): number {
  const end = from + STEP;
  if (end >= text.length) return text.length;
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end + 1 : end;
}
