import type { Faker } from "@faker-js/faker";
// One locale: the whole package takes 200 ms longer to load.
import { faker as shared } from "@faker-js/faker/locale/en";
import { createRandom } from "../../base/random.ts";

/** Random choices that depend on nothing but the seed. */
export class Randomness {
  /** Draws from the same numbers, so that its values repeat as well. */
  readonly faker: Faker;
  #next: () => number;

  constructor(seed: number) {
    this.#next = createRandom(seed);
    const FakerOf = shared.constructor as new (options: object) => Faker;
    // Its own generator would be shared by the whole process.
    const randomizer = { next: () => this.#next(), seed: () => {} };
    this.faker = new FakerOf({ locale: shared.rawDefinitions, randomizer });
  }

  /** Starts again from another seed. */
  restart(seed: number): void {
    this.#next = createRandom(seed);
  }

  /** A number in [0, 1). */
  next(): number {
    return this.#next();
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  /** A whole number between two, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#next() * (most - least + 1));
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#next() * from.length)]!;
  }

  shuffled<T>(from: readonly T[]): T[] {
    const list = [...from];
    for (let last = list.length - 1; last > 0; last--) {
      const other = Math.floor(this.#next() * (last + 1));
      [list[last], list[other]] = [list[other]!, list[last]!];
    }
    return list;
  }
}
