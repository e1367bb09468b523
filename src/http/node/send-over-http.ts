import type { IncomingMessage, RequestOptions } from "node:http";
import { StandinError } from "../../base/errors.ts";
import { stringifyJson } from "../../base/json/json.ts";
import { DIALECT_HEADER } from "../dialect-header.ts";
import type { LocalReply, LocalRequest } from "../local-call.ts";
import type { ListFacts } from "../response/reply.ts";

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The `User-Agent` of requests that our own tools send. */
export const USER_AGENT = "standin-mcp";

/** Sends a request to a server. */
export type Send = (request: LocalRequest) => Promise<LocalReply>;

/** Sends requests to a server by its address, which is asked for again when nothing listens there. */
export function sendOverHttp(findUrl: () => string, credentials: Readonly<Record<string, string>>): Send {
  let url = findUrl();
  return async (request) => {
    try {
      return await send(url, request, credentials);
    } catch (thrown) {
      // The server may have been started again elsewhere. A request that reached no server has changed nothing.
      if (codeOf(thrown) !== "ECONNREFUSED") throw unreachable(url, thrown);
      url = findUrl();
      return send(url, request, credentials).catch((again: unknown) => {
        throw unreachable(url, again);
      });
    }
  };
}

async function send(
  url: string,
  { method, path, headers, body }: LocalRequest,
  credentials: Readonly<Record<string, string>>,
): Promise<LocalReply> {
  const { protocol, hostname } = new URL(url);
  const { request } = protocol === "https:" ? await import("node:https") : await import("node:http");
  const bytes = body === undefined ? undefined : Buffer.from(stringifyJson(body));
  const options: RequestOptions & { rejectUnauthorized?: boolean } = {
    method,
    headers: {
      ...credentials,
      "user-agent": USER_AGENT,
      [DIALECT_HEADER]: "standin",
      ...(bytes && { "content-type": "application/json", "content-length": String(bytes.length) }),
      ...headers,
    },
    // A certificate that we have made ourselves is known to no one, and the way there does not leave the machine.
    ...(LOCAL.has(hostname) && { rejectUnauthorized: false }),
  };
  return new Promise((resolve, reject) => {
    const sending = request(`${url}${path}`, options, (response) => resolve(read(response)));
    sending.on("error", (error) => {
      if (codeOf(error) === "ECONNRESET") resolve({ status: 0, headers: {}, text: "", list: undefined });
      else reject(error);
    });
    sending.end(bytes);
  });
}

async function read(response: IncomingMessage): Promise<LocalReply> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of response) pieces.push(piece as Buffer);
  } catch {
    // A fault may cut a body off; its beginning is shown.
  }
  const pairs = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  const headers: Record<string, string> = Object.fromEntries(pairs);
  const list = listFactsIn(headers);
  return { status: response.statusCode ?? 0, headers, text: Buffer.concat(pieces).toString(), list };
}

/** Over HTTP the facts of a list are in its headers alone. */
function listFactsIn({ link = "", "x-total-count": total }: Readonly<Record<string, string>>): ListFacts {
  const next = /<[^>]*[?&]_after=([^&>]+)[^>]*>;\s*rel="next"/.exec(link)?.[1];
  return { total: total === undefined ? undefined : Number(total), next };
}

function unreachable(url: string, thrown: unknown): Error {
  if (thrown instanceof StandinError) return thrown;
  return new StandinError(
    "STORE_UNAVAILABLE",
    `The server at ${url} does not respond (${codeOf(thrown)}). Is it running?`,
  );
}

function codeOf(thrown: unknown): string {
  const { code, message } = thrown as NodeJS.ErrnoException;
  return code ?? message;
}
