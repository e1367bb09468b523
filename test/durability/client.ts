import { Agent, request } from "node:http";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** One client of a server: one connection, one request after the other. A request rejects when no whole answer came. */
export class Client {
  readonly url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** How many connections it took. */
  connections = 0;

  constructor(url: string) {
    this.url = url;
  }

  send(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const implied = text === undefined ? {} : { "content-type": "application/json" };
    return new Promise((resolve, reject) => {
      const sending = request(
        `${this.url}${path}`,
        { method, agent: this.#agent, headers: { ...implied, ...headers } },
        (response) => {
          const pieces: Buffer[] = [];
          response.on("data", (piece) => pieces.push(piece));
          response.on("error", reject);
          response.on("close", () => reject(new Error("the answer was cut off")));
          response.on("end", () => {
            const text = Buffer.concat(pieces).toString("utf8");
            const body = text === "" ? undefined : JSON.parse(text);
            resolve({ status: response.statusCode ?? 0, body });
          });
        },
      );
      sending.on("error", reject);
      sending.on("socket", () => {
        if (!sending.reusedSocket) this.connections++;
      });
      sending.end(text);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** One request on a connection of its own. */
export async function ask(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const client = new Client(url);
  try {
    return await client.send(method, path, body, headers);
  } finally {
    client.close();
  }
}
