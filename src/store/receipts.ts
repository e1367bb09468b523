/** How long the response to a request is repeated. */
const KEPT_MS = 24 * 60 * 60 * 1000;
export const MAX_RECEIPTS = 10_000;
/** Upper bound for all responses in memory together, in characters. */
export const MAX_LENGTH = 64 * 1024 * 1024;

/** A response in the form that is stored and sent again. */
export interface KeptResponse {
  readonly status: number;
  /** Compact JSON text; undefined for a response without a body. */
  readonly json?: string | undefined;
  /** The value of Content-Type for JSON of a special kind. */
  readonly type?: string | undefined;
  readonly etag?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

/** The response to a request with an `Idempotency-Key`, which is sent again when the request is repeated. */
export interface Receipt {
  /** A hash of the key and its scope: no credential is stored in clear text. */
  readonly key: string;
  /** A hash of the request, which tells a repeated request from another one with the same key. */
  readonly request: string;
  /** The time of the request by the server's clock, in milliseconds. */
  readonly at: number;
  readonly response: KeptResponse;
}

/** A receipt whose response is not known yet. */
export type ReceiptHead = Omit<Receipt, "response">;

/** Ends a write whose request another process has carried out meanwhile. */
export class RequestRepeated extends Error {
  readonly receipt: Receipt;

  constructor(receipt: Receipt) {
    super("This request was carried out before.");
    this.receipt = receipt;
  }
}

export function isExpired({ at }: ReceiptHead, now: number): boolean {
  return at + KEPT_MS <= now;
}

/** The receipts of one load of the data, oldest first. */
export class Receipts {
  readonly #byKey = new Map<string, Receipt>();
  #length = 0;

  get size(): number {
    return this.#byKey.size;
  }

  /** The characters of all of them together. */
  get length(): number {
    return this.#length;
  }

  get(key: string): Receipt | undefined {
    return this.#byKey.get(key);
  }

  values(): Iterable<Receipt> {
    return this.#byKey.values();
  }

  /** Adds the newest receipt; drops those that have expired by then, and the oldest ones beyond the limits. */
  add(receipt: Receipt): void {
    this.#remove(this.#byKey.get(receipt.key));
    this.#byKey.set(receipt.key, receipt);
    this.#length += lengthOf(receipt);
    for (const oldest of this.#byKey.values()) {
      const isBeyond = this.#byKey.size > MAX_RECEIPTS || this.#length > MAX_LENGTH;
      if (oldest === receipt || !(isBeyond || isExpired(oldest, receipt.at))) return;
      this.#remove(oldest);
    }
  }

  clear(): void {
    this.#byKey.clear();
    this.#length = 0;
  }

  #remove(receipt: Receipt | undefined): void {
    if (!receipt) return;
    this.#byKey.delete(receipt.key);
    this.#length -= lengthOf(receipt);
  }
}

/** Key, hashes and headers are of about the same length in all of them. */
const COMMON_LENGTH = 300;

function lengthOf({ response: { json = "" } }: Receipt): number {
  return COMMON_LENGTH + json.length;
}
