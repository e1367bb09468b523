import type { Json } from "../base/json/json.ts";
import type { WorkAccount } from "../base/work-account.ts";
import { Call, type CallSettings, type RequestHeaders } from "./call.ts";

/** A request made in this process. */
export interface LocalRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** By their names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Json | undefined;
}

/** Headers that say nothing about the calls made on behalf of the one that has them. */
const OF_THE_OUTER: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "cookie",
  "idempotency-key",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-unmodified-since",
  "origin",
  "prefer",
  "transfer-encoding",
  "x-http-method-override",
  "x-standin-sandbox",
]);

/** The headers of a call that hold for calls on its behalf, credentials among them. */
export function sharedHeaders(outer: Call): RequestHeaders {
  const shared: RequestHeaders = {};
  for (const name in outer.headers) if (!OF_THE_OUTER.has(name)) shared[name] = outer.headers[name];
  return shared;
}

/** A call without a socket: made by a program, or on behalf of another call, as the parts of a batch are. */
export class LocalCall extends Call {
  /** Without those of the outer call. */
  readonly #ownHeaders: Readonly<Record<string, string>>;
  readonly #outer: Call | undefined;
  readonly #origin: string;
  readonly #isPart: boolean;

  private constructor(
    request: LocalRequest,
    { headers, settings, outer, origin = "http://localhost", isPart = false }: LocalOptions,
  ) {
    super(request.method, request.path, headers, settings);
    this.#isPart = isPart;
    this.#ownHeaders = request.headers ?? {};
    this.#outer = outer;
    this.#origin = origin;
    this.giveBody(request.body);
  }

  /** On behalf of another call: from its address, for as long as its client is there. */
  static within(outer: Call, request: LocalRequest, options: Omit<LocalOptions, "outer" | "origin">): LocalCall {
    return new LocalCall(request, { ...options, outer });
  }

  /** Of a program that reaches the server under this address. */
  static at(origin: string, request: LocalRequest, settings: CallSettings): LocalCall {
    return new LocalCall(request, { headers: { ...request.headers }, settings, origin });
  }

  /** The parts of a batch pay from one account. */
  override get account(): WorkAccount {
    return this.#outer && this.#isPart ? this.#outer.account : super.account;
  }

  get hasLeft(): boolean {
    return this.#outer?.hasLeft ?? false;
  }

  onLeave(listener: () => void): void {
    this.#outer?.onLeave(listener);
  }

  offLeave(listener: () => void): void {
    this.#outer?.offLeave(listener);
  }

  get remoteAddress(): string | undefined {
    return this.#outer?.remoteAddress;
  }

  get isEncrypted(): boolean {
    return this.#outer?.isEncrypted ?? this.#origin.startsWith("https:");
  }

  localOrigin(scheme: string): string {
    return this.#outer?.localOrigin(scheme) ?? this.#origin;
  }

  get rawHeaders(): readonly string[] {
    return Object.entries(this.#ownHeaders).flat();
  }

  givenBody(): Json | undefined {
    return this.givenJson;
  }

  get isBodyRead(): boolean {
    return true;
  }

  readBytes(): Promise<Buffer> {
    return Promise.resolve(Buffer.alloc(0));
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }
}

interface LocalOptions {
  readonly headers: RequestHeaders;
  readonly settings: CallSettings;
  readonly outer?: Call;
  readonly origin?: string;
  /** Whether its work counts as that of the outer call. */
  readonly isPart?: boolean;
}
