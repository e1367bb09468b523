import type { Server } from "node:http";
import type { Socket } from "node:net";

/** An error of Node's parser, with the bytes that it was reading. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** Node keeps the parser of a connection here. */
interface ParsedSocket extends Socket {
  readonly parser?: { remove?(): void; close?(): void } | null;
}

const LINE_FEED = 10;
/** The events that the HTTP server listens to on a connection, with the parser that has failed. */
const PARSER_EVENTS = ["data", "end"];

/**
 * Lets the server read a request again whose address has bytes beyond ASCII, percent-encoded this time: Node's parser
 * refuses them, but `curl` sends a query as it was typed. False if there is something else wrong with the address.
 */
export function readRawAddress(server: Server, error: ParserError, socket: ParsedSocket): boolean {
  const readable = error.code === "HPE_INVALID_URL" ? withEncodedAddress(error) : undefined;
  if (readable === undefined) return false;
  const { parser } = socket;
  // Node hands the bytes of a connection to JavaScript, and no longer to its parser, where something listens to them.
  socket.on("data", () => {});
  for (const event of PARSER_EVENTS) socket.removeAllListeners(event);
  // As Node frees a parser: it is still at work until this turn ends, and must not time out later.
  parser?.remove?.();
  setImmediate(() => parser?.close?.());
  server.emit("setSecureContext" in server ? "secureConnection" : "connection", socket);
  socket.emit("data", readable);
  return true;
}

/** The bytes from the beginning of the request that failed; undefined if they are ASCII, or its first line came in pieces. */
function withEncodedAddress({ rawPacket, bytesParsed }: ParserError): Buffer | undefined {
  if (rawPacket === undefined || bytesParsed === undefined) return undefined;
  const begin = rawPacket.lastIndexOf(LINE_FEED, bytesParsed) + 1;
  const end = rawPacket.indexOf(LINE_FEED, bytesParsed) + 1;
  const line = rawPacket.toString("latin1", begin, end);
  const encoded = line.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  if (encoded === line || !/^[A-Z-]+ /.test(line)) return undefined;
  // One such request per connection: the next one gets a connection that has had one parser only.
  return Buffer.concat([Buffer.from(`${encoded}Connection: close\r\n`), rawPacket.subarray(end)]);
}
