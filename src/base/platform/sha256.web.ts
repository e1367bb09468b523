const BLOCK = 64;

/** Round constants and initial state: the first bits of the roots of the first primes. */
const PRIMES = firstPrimes(64);
const ROUND = Int32Array.from(PRIMES, (prime) => fractionOf(Math.cbrt(prime)));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime)));

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}

function fractionOf(root: number): number {
  return ((root % 1) * 2 ** 32) | 0;
}

/** SHA-256 in JavaScript: browsers have it only as a promise. */
export class Sha256 {
  readonly #state = START.slice();
  readonly #block = new Uint8Array(BLOCK);
  readonly #view = new DataView(this.#block.buffer);
  readonly #words = new Int32Array(64);
  #length = 0;

  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const filled = this.#length % BLOCK;
      const part = bytes.subarray(at, at + BLOCK - filled);
      this.#block.set(part, filled);
      this.#length += part.length;
      at += part.length;
      if (this.#length % BLOCK === 0) this.#mix();
    }
  }

  digest(): Uint8Array {
    const bits = this.#length * 8;
    const padding = new Uint8Array(((BLOCK + 55 - (this.#length % BLOCK)) % BLOCK) + 1);
    padding[0] = 0x80;
    this.update(padding);
    this.#view.setUint32(56, Math.floor(bits / 2 ** 32));
    this.#view.setUint32(60, bits);
    this.#mix();
    const digest = new DataView(new ArrayBuffer(32));
    for (const [at, word] of this.#state.entries()) digest.setInt32(at * 4, word);
    return new Uint8Array(digest.buffer);
  }

  #mix(): void {
    const words = this.#words;
    const state = this.#state;
    for (let at = 0; at < 16; at++) words[at] = this.#view.getInt32(at * 4);
    for (let at = 16; at < 64; at++) words[at] = scheduled(words, at);
    let a = word(state, 0);
    let b = word(state, 1);
    let c = word(state, 2);
    let d = word(state, 3);
    let e = word(state, 4);
    let f = word(state, 5);
    let g = word(state, 6);
    let h = word(state, 7);
    for (let at = 0; at < 64; at++) {
      const chosen = ((e & f) ^ (~e & g)) + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25));
      const one = (h + chosen + word(ROUND, at) + word(words, at)) | 0;
      const other = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + other) | 0;
    }
    const mixed = [a, b, c, d, e, f, g, h];
    for (let at = 0; at < 8; at++) state[at] = word(state, at) + (mixed[at] ?? 0);
  }
}

function scheduled(words: Int32Array, at: number): number {
  const near = word(words, at - 2);
  const far = word(words, at - 15);
  const mixed = (turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)) + (turn(far, 7) ^ turn(far, 18) ^ (far >>> 3));
  return (mixed + word(words, at - 7) + word(words, at - 16)) | 0;
}

function word(words: Int32Array, at: number): number {
  return words[at] as number;
}

function turn(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits));
}
