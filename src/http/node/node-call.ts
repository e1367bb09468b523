import type { IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import { messageOf, StandinError } from "../../base/errors.ts";
import type { Eventually } from "../../base/eventually.ts";
import { isUnparsed } from "../body/body.ts";
import { tooLarge } from "../body/decompress-body.ts";
import { Call, type CallSettings } from "../call.ts";

/** A request as hosts and interceptors leave it: with its body in `body`, or the bytes of it in `rawBody`. */
export type HostedMessage = IncomingMessage & { body?: unknown; rawBody?: unknown };

/** Responds to a call whose address is admitted: rewrite, steps, route. Never rejects. */
export type Lane = (call: NodeCall) => Eventually<void>;

/** A call that came over a socket, by node:http or by Express. */
export class NodeCall extends Call {
  readonly req: HostedMessage;
  readonly res: ServerResponse;

  constructor(req: IncomingMessage, res: ServerResponse, settings: CallSettings) {
    super(req.method ?? "GET", req.url ?? "/", req.headers, settings);
    this.req = req;
    this.res = res;
  }

  /** A pipelined response has no socket yet, so the request's is checked, too. */
  get hasLeft(): boolean {
    return this.res.destroyed || this.req.socket.destroyed;
  }

  onLeave(listener: () => void): void {
    this.res.once("close", listener);
  }

  offLeave(listener: () => void): void {
    this.res.off("close", listener);
  }

  get remoteAddress(): string | undefined {
    return this.req.socket.remoteAddress;
  }

  get isEncrypted(): boolean {
    return (this.req.socket as TLSSocket).encrypted;
  }

  localOrigin(scheme: string): string {
    const { localFamily, localAddress = "localhost", localPort } = this.req.socket;
    return `${scheme}://${localFamily === "IPv6" ? `[${localAddress}]` : localAddress}:${localPort}`;
  }

  get rawHeaders(): readonly string[] {
    return this.req.rawHeaders;
  }

  get isBodyRead(): boolean {
    return this.req.readableEnded;
  }

  /**
   * The value of `req.body`, else the bytes that a host has read and left in `req.rawBody`. Vercel parses a body when it is
   * first looked at, and throws where it cannot.
   */
  givenBody(): unknown {
    const { req } = this;
    try {
      if (req.body !== undefined) return req.body;
      return req.readableEnded && isUnparsed(req.rawBody) ? req.rawBody : undefined;
    } catch (thrown) {
      Object.defineProperty(req, "body", { value: undefined, writable: true, configurable: true, enumerable: true });
      throw new StandinError("BODY_MALFORMED", `The body cannot be read: ${messageOf(thrown)}.`);
    }
  }

  readBytes(maxBytes: number): Promise<Buffer> {
    const { req } = this;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      req.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxBytes) chunks.push(chunk);
        else {
          chunks.length = 0;
          reject(tooLarge(maxBytes));
        }
      });
      req.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
      const cutOff = (): void => {
        // Every request closes in the end, most of them with all that was promised: an error costs more than the reading.
        if (req.readableEnded) return;
        reject(new StandinError("REQUEST_MALFORMED", "The body ended before it was complete."));
      };
      // The client has already left, so no further event will come.
      if (req.destroyed) return cutOff();
      req.on("error", cutOff);
      req.on("close", cutOff);
    });
  }

  /** Leaves the request open where its reader stops early: the client is to hear why. */
  stream(): AsyncIterable<Uint8Array> {
    return this.req.iterator({ destroyOnReturn: false });
  }

  /** Reads the rest of the request: a connection closed with unread data is reset, not ended. */
  async drain(): Promise<void> {
    const { req, res } = this;
    if (req.readableEnded) return;
    // While a reader that stopped early still listens for it, nothing flows.
    req.removeAllListeners("readable");
    req.resume();
    await new Promise((resolve) => {
      req.once("end", resolve);
      res.once("close", resolve);
    });
  }
}
