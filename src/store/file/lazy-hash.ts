import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { atOnce, inSlices, type Work } from "../../slices.ts";

/** Hashed between two pauses, in characters. */
const STEP = 256 * 1024;
/** A shorter text is hashed sooner than it would be remembered for later. */
const MIN_LAZY = 4 * 1024 * 1024;

/**
 * The hash of a text's bytes. That of a long text is made beside the first requests, because nobody needs it before the
 * first write; whoever does gets it at once.
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

  /** What is left to do; nothing once somebody could not wait. */
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

/** Never between the halves of a character. */
function endOfPart(text: string, from: number): number {
  const end = from + STEP;
  if (end >= text.length) return text.length;
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end + 1 : end;
}
