/** The latest of a row of things, bounded by their number and by their bytes together; the oldest go first. */
export class BoundedLog<T extends { readonly bytes: number }> implements Iterable<T> {
  readonly #maxCount: number;
  readonly #maxBytes: number;
  readonly #onDrop: (item: T) => void;
  readonly #items: (T | undefined)[];
  /** Both count on; the place of a thing is its number modulo the room there is. */
  #first = 0;
  #next = 0;
  #bytes = 0;

  constructor(maxCount: number, maxBytes: number, onDrop: (item: T) => void = () => {}) {
    this.#maxCount = maxCount;
    this.#maxBytes = maxBytes;
    this.#onDrop = onDrop;
    this.#items = new Array<T | undefined>(maxCount).fill(undefined);
  }

  push(item: T): void {
    if (this.#next - this.#first === this.#maxCount) this.#drop();
    this.#items[this.#next % this.#maxCount] = item;
    this.#next++;
    this.#bytes += item.bytes;
    while (this.#bytes > this.#maxBytes) this.#drop();
  }

  clear(): void {
    while (this.#first < this.#next) this.#drop();
  }

  /** Oldest first. */
  *[Symbol.iterator](): Iterator<T> {
    for (let at = this.#first; at < this.#next; at++) yield this.#items[at % this.#maxCount] as T;
  }

  #drop(): void {
    const place = this.#first % this.#maxCount;
    const item = this.#items[place] as T;
    this.#items[place] = undefined;
    this.#first++;
    this.#bytes -= item.bytes;
    this.#onDrop(item);
  }
}
