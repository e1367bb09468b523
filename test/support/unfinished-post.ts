import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { request as requestSecurely } from "node:https";
import { json } from "node:stream/consumers";

export interface UnfinishedPost {
  /** Sends the body; gives back status and body of the response. */
  finish(body: object): Promise<[status: number | undefined, body: unknown]>;
}

/** A POST that the server has begun to handle and whose body is still to come. A stop waits for it, but not for ever. */
export async function beginPost(url: string): Promise<UnfinishedPost> {
  const headers = { "Content-Type": "application/json", Expect: "100-continue" };
  const send = url.startsWith("https:") ? requestSecurely : request;
  const running = send(url, { method: "POST", headers, agent: false, rejectUnauthorized: false });
  running.flushHeaders();
  await once(running, "continue");
  return {
    async finish(body) {
      running.end(JSON.stringify(body));
      const [response] = (await once(running, "response")) as [IncomingMessage];
      return [response.statusCode, await json(response)];
    },
  };
}
