/** The latest of a row of things, bounded by their number and by their bytes together; the oldest go first. */
export class BoundedLog<T extends { readonly bytes: number }> implements Iterable<T> {
  readonly #maxCount: number;
  readonly #maxBytes: number;
  readonly #onDrop: ((item: T) => void) | undefined;
  readonly #items: (T | undefined)[];
  /** The bytes of each item, apart: a dropped one has long left the processor's cache, and need not come back to be told. */
  readonly #sizes: Float64Array;
  /** The places of the oldest item and of the next one. */
  #first = 0;
  #next = 0;
  #count = 0;
  #bytes = 0;

  constructor(maxCount: number, maxBytes: number, onDrop?: (item: T) => void) {
    this.#maxCount = maxCount;
    this.#maxBytes = maxBytes;
    this.#onDrop = onDrop;
    this.#items = new Array<T | undefined>(maxCount).fill(undefined);
    this.#sizes = new Float64Array(maxCount);
  }

  push(item: T): void {
    if (this.#count === this.#maxCount) this.#drop();
    this.#items[this.#next] = item;
    this.#sizes[this.#next] = item.bytes;
    this.#next = this.#after(this.#next);
    this.#count++;
    this.#bytes += item.bytes;
    while (this.#bytes > this.#maxBytes) this.#drop();
  }

  clear(): void {
    while (this.#count > 0) this.#drop();
  }

  /** Oldest first. */
  *[Symbol.iterator](): Iterator<T> {
    for (let at = this.#first, left = this.#count; left > 0; at = this.#after(at), left--) yield this.#items[at] as T;
  }

  #after(place: number): number {
    return place + 1 === this.#maxCount ? 0 : place + 1;
  }

  #drop(): void {
    const place = this.#first;
    this.#onDrop?.(this.#items[place] as T);
    this.#items[place] = undefined;
    this.#first = this.#after(place);
    this.#count--;
    this.#bytes -= this.#sizes[place]!;
  }
}
