/** Seconds from the beginning of a round. */
export const TIMES = {
  command: 0.4,
  banner: 1.7,
  query: 4,
  response: 5.4,
  pointer: 6.6,
  focus: 7.7,
  typed: 8.4,
  saved: 9.6,
  file: 10.4,
};
const ROUND = 15;

/**
 * Collects keyframes, and names the classes that move by them. Every animation takes a whole round, so that all of them
 * stay together. Where motion is not wanted, none applies, and the picture is the end of a round.
 */
export class Motion {
  readonly #keyframes = new Map<string, string>();

  appears(seconds: number): string {
    return this.#add("a", seconds, `0%,${at(seconds)}{opacity:0}${at(seconds + 0.15)},to{opacity:1}`);
  }

  isTyped(seconds: number): string {
    const [hidden, shown] = ["100%", "0"].map((right) => `clip-path:inset(-4px ${right} -4px 0)`);
    return `typed ${this.#add("t", seconds, `0%,${at(seconds)}{${hidden}}${at(seconds + 1)},to{${shown}}`)}`;
  }

  /** Visible until then; never without motion. */
  disappears(seconds: number): string {
    return `gone ${this.#add("g", seconds, `0%,${at(seconds)}{opacity:1}${at(seconds + 0.1)},to{opacity:0}`)}`;
  }

  /** Visible in between; never without motion. */
  isThere(from: number, to: number): string {
    const shown = `0%,${at(from)}{opacity:0}${at(from + 0.15)},${at(to)}{opacity:1}${at(to + 0.3)},to{opacity:0}`;
    return `gone ${this.#add("o", from, shown)}`;
  }

  movesDown(seconds: number, pixels: number): string {
    const up = `0%,${at(seconds)}{transform:translateY(-${pixels}px)}`;
    return this.#add("d", seconds, `${up}${at(seconds + 0.2)},to{transform:none}`);
  }

  /** Comes from far, stays, and goes; never visible without motion. */
  visits(from: number, there: number, until: number): string {
    const far = "transform:translate(-190px,150px)";
    const coming = `0%,${at(from - 0.2)}{opacity:0;${far}}${at(from)}{opacity:1;${far}}`;
    const staying = `${at(there)},${at(until)}{opacity:1;transform:none}`;
    return `gone ${this.#add("p", from, `${coming}${staying}${at(until + 0.4)},to{opacity:0;transform:none}`)}`;
  }

  style(): string {
    const rules = [...this.#keyframes].map(
      ([name, frames]) => `.${name}{animation-name:${name}}@keyframes ${name}{${frames}}`,
    );
    const all = [...this.#keyframes.keys()].map((name) => `.${name}`).join();
    const timing = `${all}{animation-duration:${ROUND}s;animation-iteration-count:infinite}`;
    return `@media (prefers-reduced-motion:no-preference){${timing}\n${rules.join("\n")}\n}`;
  }

  #add(letter: string, seconds: number, frames: string): string {
    const name = `${letter}${Math.round(seconds * 100)}`;
    this.#keyframes.set(name, frames);
    return name;
  }
}

function at(seconds: number): string {
  return `${Math.round((seconds / ROUND) * 10_000) / 100}%`;
}
