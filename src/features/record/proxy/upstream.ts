import { randomUUID } from "node:crypto";
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { StandinError, StartError } from "../../../base/errors.ts";
import type { HeaderField } from "../../../http/exchange.ts";

/** How long the upstream may be silent before its response begins. */
const TIMEOUT_MS = 30_000;

export interface UpstreamOptions {
  /** Such as `https://api.test` or `https://api.test/v1`. */
  readonly address: string;
  /** The option that names the address, for messages. */
  readonly option: string;
  /** Sent with every request, in place of the client's: `Authorization: Bearer abc`. */
  readonly headers?: readonly string[] | undefined;
  /** Accepts certificates that cannot be verified. */
  readonly insecure?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
}

/** A request as it goes to the upstream. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path and query, below the path of the upstream's address. */
  readonly url: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Writes the body and ends the request. */
  write(request: ClientRequest): void;
  /** Whether it may be sent a second time, where a connection ended just as it was used again. */
  readonly isRepeatable: boolean;
  /** Called with each attempt, so that a client that leaves can end it. */
  started(request: ClientRequest): void;
}

/** The real API behind a proxy. Connections to it are kept and used again. */
export class Upstream {
  readonly origin: string;
  /** The host as it stands in a Host header. */
  readonly host: string;
  /** The path of its address, without a slash at the end; empty for none. */
  readonly base: string;
  /** Headers of `--header`, by name; they go to this origin only. */
  readonly headers: readonly HeaderField[];
  /** Marks requests of this process, so that one that comes back is noticed. */
  readonly mark = randomUUID();
  readonly #agent: HttpAgent;
  readonly #send: typeof httpRequest;
  readonly #timeoutMs: number;
  readonly #target: { readonly hostname: string; readonly port: string };

  constructor({ address, option, headers = [], insecure = false, timeoutMs = TIMEOUT_MS }: UpstreamOptions) {
    const { protocol, origin, host, hostname, port, pathname } = parseAddress(address, option);
    this.origin = origin;
    this.host = host;
    this.base = pathname.replace(/\/+$/, "");
    this.headers = headers.map(parseHeader);
    const isSecure = protocol === "https:";
    const settings = { keepAlive: true, ...(isSecure && { rejectUnauthorized: !insecure }) };
    this.#agent = isSecure ? new HttpsAgent(settings) : new HttpAgent(settings);
    this.#send = isSecure ? httpsRequest : httpRequest;
    this.#timeoutMs = timeoutMs;
    this.#target = { hostname: hostname.replace(/^\[|\]$/g, ""), port };
  }

  /** Resolves with the head of the response; its body follows as a stream. Rejects with a refusal for the client. */
  async send(sent: UpstreamRequest): Promise<IncomingMessage> {
    try {
      return await this.#attempt(sent);
    } catch (thrown) {
      if (!(thrown instanceof ReusedConnectionEnded)) throw thrown;
      return this.#attempt({ ...sent, isRepeatable: false });
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #attempt(sent: UpstreamRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = this.#send({
        ...this.#target,
        agent: this.#agent,
        method: sent.method,
        path: `${this.base}${sent.url}`,
        headers: sent.headers,
        // Of silence: a long upload is none.
        timeout: this.#timeoutMs,
      });
      request.once("timeout", () => request.destroy(this.#timedOut()));
      request.once("response", (response) => {
        request.setTimeout(0);
        resolve(response);
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && error.code === "ECONNRESET" && sent.isRepeatable;
        reject(isStale ? new ReusedConnectionEnded() : this.#refusalFor(error));
      });
      sent.started(request);
      sent.write(request);
    });
  }

  #timedOut(): StandinError {
    const seconds = this.#timeoutMs / 1000;
    return new StandinError("UPSTREAM_TIMEOUT", `${this.origin} did not respond within ${seconds} seconds.`);
  }

  #refusalFor(error: NodeJS.ErrnoException): StandinError {
    if (error instanceof StandinError) return error;
    const { code = error.message } = error;
    const advice = /CERT|SELF_SIGNED|VERIFY|ALTNAME/.test(code)
      ? "Its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the file of its authority, or add --insecure."
      : "Check the address and whether it can be reached from this machine.";
    return new StandinError("UPSTREAM_UNAVAILABLE", `${this.origin} cannot be reached: ${code}. ${advice}`);
  }
}

/** The upstream closed an idle connection while a request was on its way. */
class ReusedConnectionEnded extends Error {}

function parseAddress(address: string, option: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new StartError(
      `${option}: ${JSON.stringify(address.split(/[?#]/, 1)[0])} is not the address of an API. Write it as https://api.test or https://api.test/v1.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new StartError(
      `${option}: the address must not contain a user or a password. Use --header "Authorization: {env:TOKEN}".`,
    );
  }
  return url;
}

function parseHeader(line: string): HeaderField {
  const [, name, value] = /^([!\w#$%&'*+.^`|~-]+)\s*:\s*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
  if (name !== undefined && value !== undefined) return [name, value.trim()];
  // The value may be a secret: it is not shown.
  throw new StartError(
    `--header: ${JSON.stringify(line.split(":", 1)[0])} is not a header. Write it as "Name: value".`,
  );
}
