import { messageOf, StandinError } from "../../base/errors.ts";
import { Buffer } from "../../base/platform/buffer.ts";
import { tooLarge } from "../body/decompress-body.ts";
import { Call, type CallSettings, type RequestHeaders } from "../call.ts";

/** Origin, host and path of an address that a `Request` has put into its usual form: another `URL` would take longer. */
const ADDRESS = /^([^:/]*:(?:\/\/([^/?#]*))?)([^#]*)/;

/** A call that a `Request` of the web stands for. */
export class FetchCall extends Call {
  readonly #request: Request;
  readonly #ownOrigin: string;
  /** Read once: on some platforms, it takes longer than to find the record. */
  readonly #sentHeaders: readonly (readonly [name: string, value: string])[];
  #isRead = false;

  constructor(request: Request, settings: CallSettings, isTrusted: boolean) {
    const [, origin = "", host = "", path = ""] = ADDRESS.exec(request.url) ?? [];
    const sent = [...request.headers];
    const headers: RequestHeaders = Object.fromEntries(sent);
    headers.host = host;
    super(request.method, path, headers, settings);
    this.#request = request;
    this.#ownOrigin = origin;
    this.#sentHeaders = sent;
    this.isTrusted = isTrusted;
    // A stream of the web says nothing about its length.
    if (request.body && this.headers["content-length"] === undefined) this.headers["transfer-encoding"] = "chunked";
  }

  get hasLeft(): boolean {
    return this.#request.signal.aborted;
  }

  onLeave(listener: () => void): void {
    this.#request.signal.addEventListener("abort", listener);
  }

  offLeave(listener: () => void): void {
    this.#request.signal.removeEventListener("abort", listener);
  }

  get remoteAddress(): undefined {
    return undefined;
  }

  get isEncrypted(): boolean {
    return this.#ownOrigin.startsWith("https:");
  }

  localOrigin(): string {
    return this.#ownOrigin;
  }

  get rawHeaders(): readonly string[] {
    return this.#sentHeaders.flat();
  }

  givenBody(): undefined {
    return undefined;
  }

  get isBodyRead(): boolean {
    return this.#isRead || !this.#request.body;
  }

  async readBytes(maxBytes: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this.stream()) {
      length += piece.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      pieces.push(piece);
    }
    return pieces.length === 1 ? Buffer.from(pieces[0]!) : Buffer.concat(pieces);
  }

  async *stream(): AsyncGenerator<Uint8Array> {
    // By someone else, as we read it once.
    if (!this.#isRead && this.#request.bodyUsed) {
      throw unreadable("has been read already. Pass on request.clone(), or read the clone.");
    }
    this.#isRead = true;
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    try {
      // Not every browser iterates over a stream.
      reader = this.#request.body?.getReader();
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) yield read.value;
    } catch (thrown) {
      throw unreadable(`cannot be read: ${messageOf(thrown)}`);
    } finally {
      // A source that cannot be cancelled changes nothing.
      void reader?.cancel().catch(() => undefined);
    }
  }

  async drain(): Promise<void> {
    if (!this.isBodyRead && !this.#request.bodyUsed) await this.readBytes(Number.POSITIVE_INFINITY);
  }
}

function unreadable(why: string): StandinError {
  return new StandinError("BODY_UNREADABLE", `The body of this request ${why}`);
}
