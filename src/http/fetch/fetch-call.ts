import { Buffer } from "../../base/platform/buffer.ts";
import { tooLarge } from "../body/body.ts";
import { Call, type CallSettings } from "../call.ts";

/** A call that a `Request` of the web stands for. */
export class FetchCall extends Call {
  readonly #request: Request;
  readonly #url: URL;

  constructor(request: Request, settings: CallSettings) {
    const url = new URL(request.url);
    super(
      request.method,
      url.pathname + url.search,
      { host: url.host, ...Object.fromEntries(request.headers) },
      settings,
    );
    this.#request = request;
    this.#url = url;
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
    return this.#url.protocol === "https:";
  }

  localOrigin(): string {
    return this.#url.origin;
  }

  get rawHeaders(): readonly string[] {
    return [...this.#request.headers].flat();
  }

  givenBody(): undefined {
    return undefined;
  }

  get isBodyRead(): boolean {
    return this.#request.bodyUsed || !this.#request.body;
  }

  async readBytes(maxBytes: number): Promise<Buffer> {
    const bytes = Buffer.from(await this.#request.arrayBuffer());
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    return bytes;
  }

  async drain(): Promise<void> {
    if (!this.isBodyRead) await this.#request.arrayBuffer();
  }
}
