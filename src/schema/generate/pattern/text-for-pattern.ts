import type { Randomness } from "../randomness.ts";
import { type PatternNode, parsePattern } from "./parse-pattern.ts";

/** Repetitions beyond what a pattern or a length asks for. */
const USUAL_SLACK = 6;
/** However long a match would have to be, no text grows beyond this. */
const MAX_LENGTH = 100_000;
const FILLING = "abcdefghijklmnopqrstuvwxyz";

const parsed = new Map<string, PatternNode>();
const MAX_PARSED = 1000;

export interface Lengths {
  readonly least: number;
  readonly most: number;
}

/**
 * A text that the pattern probably matches, of about the right length: anchors and word edges are not looked at, so an
 * engine must check it. Undefined where no text could be short enough.
 */
export function textForPattern(source: string, { least, most }: Lengths, random: Randomness): string | undefined {
  const root = patternOf(source);
  if (root.length > most || root.length > MAX_LENGTH) return undefined;
  const wanted = random.between(
    Math.max(least, root.length),
    Math.min(most, Math.max(least, root.length) + USUAL_SLACK),
  );
  const text = new Writer(random, wanted - root.length).write(root);
  const missing = least - characterCount(text);
  // A pattern without anchors matches within a longer text.
  return missing > 0 && missing <= MAX_LENGTH ? text + filling(missing, random) : text;
}

function patternOf(source: string): PatternNode {
  let root = parsed.get(source);
  if (!root) {
    if (parsed.size === MAX_PARSED) parsed.clear();
    root = parsePattern(source);
    parsed.set(source, root);
  }
  return root;
}

class Writer {
  readonly #random: Randomness;
  /** Characters to write beyond the shortest match. */
  #slack: number;

  constructor(random: Randomness, slack: number) {
    this.#random = random;
    this.#slack = slack;
  }

  write(node: PatternNode): string {
    switch (node.kind) {
      case "character":
        return node.characters.samples.length === 0 ? "" : this.#random.pick(node.characters.samples);
      case "sequence":
        return node.parts.map((part) => this.write(part)).join("");
      case "choice":
        return this.#writeOption(node.options, node.length);
      case "repeat":
        return this.#writeRepeated(node);
    }
  }

  #writeOption(options: readonly PatternNode[], length: number): string {
    const affordable = options.filter((option) => option.length - length <= this.#slack);
    const option = this.#random.pick(affordable.length > 0 ? affordable : options);
    this.#slack -= option.length - length;
    return this.write(option);
  }

  #writeRepeated({ inner, least, most }: PatternNode & { readonly kind: "repeat" }): string {
    const unit = Math.max(1, inner.length);
    const affordable = Math.min(most - least, Math.max(0, Math.floor(this.#slack / unit)));
    const more = this.#random.chance(0.5) ? affordable : this.#random.between(0, affordable);
    this.#slack -= more * unit;
    let text = "";
    for (let count = 0; count < least + more; count++) text += this.write(inner);
    return text;
  }
}

function filling(length: number, random: Randomness): string {
  let text = "";
  while (text.length < length) text += FILLING[random.between(0, FILLING.length - 1)];
  return text;
}

/** Characters as JSON Schema counts them. */
export function characterCount(text: string): number {
  return [...text].length;
}
