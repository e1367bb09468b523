import { Agent, request } from "node:http";
import { type Answer, contentOf } from "./answer.ts";
import { addressOf, type Question } from "./question.ts";

/** Both servers are asked under this name, so that what they say in Link and Location needs no mending. */
const HOST = "compat.localhost";
export const ORIGIN = `http://${HOST}`;
/** How many questions are open at one server at a time. */
export const IN_FLIGHT = 16;

const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });

/** Sends a question as it is written: no address is tidied up on the way. */
export function ask(port: number, asked: Question): Promise<Answer> {
  const headers: Record<string, string | number> = { Host: HOST, ...asked.headers };
  if (asked.body !== undefined) headers["Content-Length"] = Buffer.byteLength(asked.body);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, agent, method: asked.method, path: addressOf(asked), headers },
      (res) => {
        const chunks: Buffer[] = [];
        res.on("data", (chunk: Buffer) => chunks.push(chunk));
        res.on("error", reject);
        res.on("end", () => {
          const header = (name: string): string | undefined => res.headers[name] as string | undefined;
          resolve({
            status: res.statusCode ?? 0,
            type: header("content-type")?.split(";")[0],
            ...contentOf(Buffer.concat(chunks).toString("utf8")),
            total: header("x-total-count"),
            link: header("link"),
            location: header("location"),
          });
        });
      },
    );
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // A server may close an idle connection just when it is used again; it has not seen the question then.
      if (sent.reusedSocket && error.code === "ECONNRESET") resolve(ask(port, asked));
      else reject(error);
    });
    sent.end(asked.body);
  });
}

export function closeConnections(): void {
  agent.destroy();
}
