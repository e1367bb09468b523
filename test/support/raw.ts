import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends bytes as they are and gives back everything that came until the server hung up, as one text of code units. With
 * `isCutOff` the sending side is closed behind them, so that a request which promises more than it sends is over.
 */
export function exchangeBytes(port: number, bytes: string, isCutOff = false): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => {
      if (isCutOff) socket.end(bytes, "latin1");
      else socket.write(bytes, "latin1");
    });
    socket.setEncoding("latin1");
    socket.on("data", (piece) => {
      received += piece;
    });
    // A server that refuses may hang up while we still send; what it said before that is the answer.
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  });
}

/** One request whose first line and headers are sent exactly as written; Connection is added, and a Host if there is none. */
export async function askRaw(
  port: number,
  line: string,
  headers: readonly string[] = [],
  body = "",
): Promise<RawAnswer> {
  const host = headers.some((header) => header.startsWith("Host:")) ? [] : ["Host: localhost"];
  const head = [`${line} HTTP/1.1`, ...host, "Connection: close", ...headers].join("\r\n");
  return parseAnswer(await exchangeBytes(port, `${head}\r\n\r\n${body}`));
}

export function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...fields] = text.slice(0, end).split("\r\n");
  const headers: Record<string, string> = {};
  for (const field of fields) {
    const colon = field.indexOf(":");
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim();
  }
  return { status: Number(statusLine.split(" ")[1]), headers, body: text.slice(end + 4) };
}
