import type { Json } from "../../../base/json/json.ts";
import { type Memory, ValueSet } from "../value-set.ts";

/** The values of a field that may be a key: whether all differ, and which there are. */
export class KeyValues {
  /** Records that have a value here, null apart. */
  count = 0;
  isDistinct = true;
  /** The values as texts; undefined once they are not needed, too many or of no use as a key. */
  set: ValueSet | undefined = new ValueSet();
  readonly #memory: Memory;
  readonly #isSetNeeded: boolean;

  /** `isSetNeeded`: also if values come twice, as those of references do. */
  constructor(memory: Memory, isSetNeeded: boolean) {
    this.#memory = memory;
    this.#isSetNeeded = isSetNeeded;
  }

  /** Adds a value, or each item of a list. */
  add(value: Json): void {
    if (value === null) return;
    this.count++;
    if (!this.set) return;
    if (Array.isArray(value)) for (const item of value) this.#addOne(item);
    else this.#addOne(value);
  }

  #addOne(value: Json): void {
    if (!this.set) return;
    if (typeof value !== "string" && typeof value !== "number") this.#giveUp();
    else if (this.set.add(String(value))) {
      if (this.#memory.left-- <= 0) this.#giveUp();
    } else if (this.#isSetNeeded) this.isDistinct = false;
    else this.#giveUp();
  }

  #giveUp(): void {
    this.#memory.left += this.set?.size ?? 0;
    this.set = undefined;
    this.isDistinct = false;
  }
}
