import { createHash } from "node:crypto";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import type { JsonObject } from "../../src/base/json/json.ts";

/** Requests of 0.17 with the digests of their responses, as one commit gave them. */
export interface Corpus {
  readonly data: JsonObject;
  /** `GET /products?price_gte=5 <digest>` */
  readonly lines: readonly string[];
}

export const CORPUS_FILE = new URL("../fixtures/requests-of-0.17.txt", import.meta.url);

/** The data on the first line, then a request on each. */
export function parseCorpus(text: string): Corpus {
  const [data, ...lines] = text.trimEnd().split("\n");
  return { data: JSON.parse(data!) as JsonObject, lines };
}

const IN_FLIGHT = 8;
/** Everything about a list or a record but what differs at every start: `Date`, and the value of `ETag`. */
const HEADERS = [
  "access-control-allow-origin",
  "access-control-expose-headers",
  "allow",
  "cache-control",
  "content-length",
  "content-range",
  "content-type",
  "link",
  "location",
  "preference-applied",
  "vary",
  "x-content-type-options",
  "x-powered-by",
  "x-total-count",
];

/** The digests of the responses to these requests, in their order. */
export async function digestsOf(port: number, requests: readonly string[]): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  const digests: string[] = new Array(requests.length);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < requests.length) {
      const at = next++;
      digests[at] = await digestOf(port, requests[at]!, agent);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  agent.destroy();
  return digests;
}

function digestOf(port: number, line: string, agent: Agent): Promise<string> {
  const [method, path] = line.split(" ") as [string, string];
  return new Promise((resolve, reject) => {
    // Under one name, because Link shows it.
    const headers = { Host: "corpus.localhost" };
    const sent = request({ host: "127.0.0.1", port, agent, method, path, headers }, (response) => {
      const hash = createHash("sha256").update(`${response.statusCode}\n${headLines(response.headers)}\n`);
      response.on("data", (piece: Buffer) => hash.update(piece));
      response.on("error", reject);
      response.on("end", () => resolve(hash.digest("base64url").slice(0, 8)));
    });
    sent.on("error", reject);
    sent.end();
  });
}

function headLines(headers: IncomingHttpHeaders): string {
  const lines = HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`]));
  return [...lines, `etag: ${headers.etag !== undefined}`].join("\n");
}
