import { Agent, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import { messageOf } from "../../base/errors.ts";
import { DEPTH_HEADER } from "../../http/call.ts";
import { signatureHeaders } from "./sign.ts";
import { expectReachable, lookupFor, type Resolve } from "./targets.ts";
import type { Signing } from "./types.ts";

/** A receiver that takes longer has failed. */
const TIMEOUT_MS = 10_000;

/** A webhook as it is sent. */
export interface Outgoing {
  readonly id: string;
  readonly event: string;
  readonly url: string;
  readonly body: string;
  readonly attempt: number;
  readonly signing: Signing | undefined;
  readonly sandbox: string | undefined;
  /** How many webhooks and steps of a timeline led to it, this one included. */
  readonly depth: number;
}

/** The surroundings of a sender, which tests replace. */
export interface SenderParts {
  /** Aborts after a time. */
  readonly timeout?: (ms: number) => AbortSignal;
  readonly resolve?: Resolve;
  /** Certificates to trust in place of the usual ones. */
  readonly ca?: string;
}

/** Sends webhooks over connections that stay open. */
export class WebhookSender {
  readonly #agents: { readonly http: Agent; readonly https: SecureAgent };
  readonly #timeout: (ms: number) => AbortSignal;
  readonly #resolve: Resolve | undefined;
  /** The port of this server, which is never a target. */
  ownPort: number | undefined;

  constructor({ timeout = (ms) => AbortSignal.timeout(ms), resolve, ca }: SenderParts = {}) {
    this.#timeout = timeout;
    this.#resolve = resolve;
    // Thousands of subscribers may have an origin each: their connections do not stay open for long.
    const options = { keepAlive: true, timeout: TIMEOUT_MS };
    this.#agents = {
      http: new Agent(options),
      https: new SecureAgent({ ...options, ...(ca !== undefined && { ca }) }),
    };
  }

  /** Why nothing is sent to an address, as far as that is known before its name is looked up. */
  refusal(address: string): string | undefined {
    try {
      expectReachable(new URL(address), this.ownPort);
      return undefined;
    } catch (thrown) {
      return messageOf(thrown);
    }
  }

  /** Resolves to the status of the response. Rejects where there is none. */
  send(outgoing: Outgoing): Promise<number> {
    const url = new URL(outgoing.url);
    expectReachable(url, this.ownPort);
    const isSecure = url.protocol === "https:";
    const { id, event, body, attempt, sandbox } = outgoing;
    const headers = {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      "User-Agent": "standin-hooks",
      "X-Standin-Delivery": id,
      "X-Standin-Event": event,
      "X-Standin-Attempt": attempt,
      [DEPTH_HEADER]: outgoing.depth,
      ...(sandbox !== undefined && { "X-Standin-Sandbox": sandbox }),
      ...(outgoing.signing && signatureHeaders(outgoing.signing, { id, event, body, sentAt: Date.now() })),
    };
    const signal = this.#timeout(TIMEOUT_MS);
    return new Promise((resolve, reject) => {
      const sending = (isSecure ? requestHttps : requestHttp)(url, {
        method: "POST",
        headers,
        agent: isSecure ? this.#agents.https : this.#agents.http,
        lookup: lookupFor(url, this.ownPort, this.#resolve),
        signal,
      });
      sending.on("error", (error) => reject(signal.aborted ? new Error("no response within 10 s") : error));
      sending.on("response", (response) => {
        response.resume();
        // Its body is of no interest, but the connection is free only after it.
        response.on("error", () => undefined);
        resolve(response.statusCode ?? 0);
      });
      sending.end(body);
    });
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }
}
