import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import type { LoadRequest } from "./requests.ts";

/** A response as it went over the wire, which the bare server repeats. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** Headers that belong to the connection; node:http writes its own. */
const OF_THE_CONNECTION = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

/** Asks once, as the load generator does: without `Accept-Encoding`. */
export async function recordAnswer(url: string, { method, path, headers, body }: LoadRequest): Promise<Answer> {
  const asked = request(`${url}${path}`, { method, headers, agent: false });
  asked.end(body);
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  const raw = response.rawHeaders;
  const kept = raw.filter((_, index) => !OF_THE_CONNECTION.has(raw[index - (index % 2)]!.toLowerCase()));
  return { status: response.statusCode ?? 0, headers: kept, body: await text(response) };
}
