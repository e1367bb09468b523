/** Holds the warnings about ids back until the first request: until then, a script may name another primary key. */
export class IdWarnings {
  readonly #warn: (text: string) => void;
  #held: string[] = [];

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  readonly hold = (text: string): void => void this.#held.push(text);

  /** Call it when another primary key has made those untrue that were held so far. */
  forget(): void {
    this.#held = [];
  }

  /** Hot path: called by every request. */
  tell(): void {
    if (this.#held.length === 0) return;
    for (const text of this.#held.splice(0)) this.#warn(text);
  }
}
