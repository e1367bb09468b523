import { assemble } from "./assemble.ts";
import { colons } from "./colons.ts";
import { numbers } from "./numbers.ts";
import { CAPACITY, CONTEXT } from "./sizes.ts";

/** The part of it that is used here; @types/node does not declare it. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly colons: (end: number) => number;
  readonly numbers: (from: number, end: number) => number;
}

/** Compiling the code takes longer than reading a shorter text without it. */
export const MIN_SCANNED = 2 * 1024 * 1024;

/** The scanner for a text; undefined if the text is short, or the engine cannot compile the code. */
export function scannerFor(text: string): Scanner | undefined {
  if (text.length < MIN_SCANNED) return undefined;
  compiled ??= { scanner: compile() };
  return compiled.scanner;
}

let compiled: { readonly scanner: Scanner | undefined } | undefined;

function compile(): Scanner | undefined {
  try {
    const module = new WebAssembly.Module(assemble([colons(), numbers()]));
    return new Scanner(new WebAssembly.Instance(module).exports as Exports);
  } catch {
    return undefined;
  }
}

/**
 * Scans long texts 16 characters at a time, in WebAssembly. Takes one byte of each character: to a scan, a wide one may be
 * any other.
 */
export class Scanner {
  readonly #code: Exports;
  readonly #memory: Buffer;

  constructor(code: Exports) {
    this.#code = code;
    this.#memory = Buffer.from(code.memory.buffer);
  }

  /** The number of colons that follow a quote, white space or another character below `#`. */
  countColons(text: string): number {
    let count = 0;
    for (let from = 0; from < text.length; from += CAPACITY) count += this.#code.colons(this.#load(text, from));
    return count;
  }

  /**
   * Finds the places where 16 digits begin, or where a digit is followed by what may be an exponent of three digits. Calls
   * `visit` with each; it returns the end of the number there, or of the text to stop.
   */
  findNumbers(text: string, visit: (place: number) => number): void {
    for (let from = 0; from < text.length; ) {
      const length = this.#load(text, from);
      let at = this.#code.numbers(0, length);
      while (at < length) {
        const end = visit(from + at) - from;
        // Not 0, which would look at the characters before it again.
        at = end < length ? this.#code.numbers(Math.max(end, 1), length) : end;
      }
      from += Math.max(at, length);
    }
  }

  /** Loads the next part of the text and the characters around it; returns its length. */
  #load(text: string, from: number): number {
    const before = Math.min(from, CONTEXT);
    const memory = this.#memory;
    if (before < CONTEXT) memory.fill(0, 0, CONTEXT - before);
    const part = text.slice(from - before, from + CAPACITY + CONTEXT);
    const end = CONTEXT - before + memory.write(part, CONTEXT - before, "latin1");
    memory.fill(0, end, end + CONTEXT);
    return Math.min(CAPACITY, text.length - from);
  }
}
