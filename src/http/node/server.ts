import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { ERRORS, type ErrorCode, StandinError } from "../../base/errors.ts";
import type { Messages } from "../express/message-classes.ts";
import type { RequestHandler } from "./handler.ts";
import { type ParserError, readRawAddress } from "./raw-address.ts";
import type { Certificate } from "./tls/certificate.ts";

/** How long running requests may take to finish once a stop is requested. */
const GRACE_MS = 5000;
/** How long new connections are still accepted once a stop is requested. */
const ACCEPT_MS = 1000;
/** How often connections are checked while stopping. */
const SWEEP_MS = 10;
/** Node would refuse a missing Host header by itself, and not in our form. */
const LENIENT = { requireHostHeader: false };
/**
 * How long an idle connection stays open: longer than clients and proxies usually keep theirs, so that they close first. A
 * request that crosses our close would fail.
 */
const KEEP_ALIVE_MS = 65_000;
/** RFC 9110, 10.1.1: an unknown expectation may be ignored. */
const REQUEST_EVENTS = ["request", "checkExpectation"] as const;
/** Ports tried when any port will do but the second address has it taken. */
const ANY_PORT_TRIES = 20;

export interface Listening {
  readonly port: number;
  /** An address that works from this machine, such as `http://localhost:3000`. */
  readonly url: string;
  /**
   * Stops accepting, lets running requests finish (for a limited time), and resolves when every connection is closed. A
   * connection in use ends with its next response, never under a request that is on its way: idle ones stay open until
   * no request has come on any of them for `quietMs`.
   */
  close(quietMs?: number): Promise<void>;
  /** Lets another handler respond to requests from now on. */
  respondBy(handler: RequestHandler): void;
  /** Stops at once, without waiting for running requests. */
  abort(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Makes it HTTPS. */
  readonly certificate?: Pick<Certificate, "cert" | "key"> | undefined;
  /** The classes of requests and responses, where Node's own do not fit. */
  readonly messages?: Messages | undefined;
}

/** Listens; `localhost` means both of its addresses, IPv4 and IPv6, because a client's resolver may pick either. */
export async function listen(handler: RequestHandler, options: ListenOptions): Promise<Listening> {
  const { host, port, certificate } = options;
  for (let tries = 1; ; tries++) {
    const servers: Server[] = [];
    try {
      const bound = await listenOnAll(servers, handler, options);
      return {
        port: bound,
        url: `${certificate ? "https" : "http"}://${hostForUrl(host)}:${bound}`,
        respondBy: (next) => {
          for (const server of servers) {
            for (const event of REQUEST_EVENTS) server.removeAllListeners(event).on(event, next);
          }
        },
        close: (quietMs = 0) => closeAll(servers, quietMs),
        abort: () => abortAll(servers),
      };
    } catch (thrown) {
      for (const server of servers) server.close();
      if (port !== 0 || !isInUse(thrown) || tries === ANY_PORT_TRIES) throw thrown;
    }
  }
}

/** Fills `servers`, and resolves to the port that all of them have. */
async function listenOnAll(servers: Server[], handler: RequestHandler, options: ListenOptions): Promise<number> {
  let bound = options.port;
  for (const host of options.host === "localhost" ? ["127.0.0.1", "::1"] : [options.host]) {
    const server = await createHttpServer(handler, options);
    if (!(await startListening(server, { host, port: bound }))) continue;
    servers.push(server);
    bound = (server.address() as AddressInfo).port;
  }
  return bound;
}

async function createHttpServer(handler: RequestHandler, { certificate, messages }: ListenOptions): Promise<Server> {
  const options = { ...LENIENT, ...messages };
  const server = certificate
    ? // Loaded only where there is a certificate.
      (await import("node:https")).createServer(
        { ...options, cert: certificate.cert, key: certificate.key, minVersion: "TLSv1.2" },
        handler,
      )
    : createServer(options, handler);
  // Node silently drops headers beyond the 2000th, an Origin or a Content-Length among them. They are bounded by 16 kB.
  server.maxHeadersCount = 0;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  followConnections(server);
  server.on("checkExpectation", handler);
  server.on("clientError", (error, socket: HttpSocket) => refuseUnreadable(server, error, socket));
  return server;
}

/** Resolves to false when the machine has no such address (IPv6 switched off) and another one is left. */
function startListening(server: Server, { host, port }: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT";
      if (isMissing && host === "::1") resolve(false);
      else reject(error);
    });
    server.listen(port, host, () => resolve(true));
  });
}

/** A connection with its running response. */
type HttpSocket = Socket & { _httpMessage?: ServerResponse };

/** TCP connections, and those that speak HTTP: the same ones, or the TLS on top of them. */
interface Connections {
  readonly tcp: Set<Socket>;
  readonly http: Set<HttpSocket>;
}

const connections = new WeakMap<Server, Connections>();

function followConnections(server: Server): void {
  const tcp = new Set<Socket>();
  const http = "setSecureContext" in server ? new Set<HttpSocket>() : tcp;
  connections.set(server, { tcp, http });
  const follow = (sockets: Set<Socket>) => (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  server.on("connection", follow(tcp));
  if (http !== tcp) server.on("secureConnection", follow(http));
}

function connectionsOf(servers: readonly Server[], kind: keyof Connections): HttpSocket[] {
  return servers.flatMap((server) => [...(connections.get(server)?.[kind] ?? [])]);
}

/** Responds in our form where the HTTP parser fails. There is no request yet, so the bytes are written to the socket. */
function refuseUnreadable(server: Server, error: ParserError, socket: HttpSocket): void {
  const running = socket._httpMessage;
  if (error.code === "ECONNRESET" || !socket.writable || running?.headersSent) {
    socket.destroy();
    return;
  }
  // Nonsense after a valid request: its response is finished first.
  if (running?.req.complete) {
    running.once("finish", () => socket.destroy());
    return;
  }
  if (readRawAddress(server, error, socket)) return;
  const refusal = refusalFor(error.code);
  const body = JSON.stringify(refusal);
  const { status } = ERRORS[refusal.code];
  socket.end(
    `HTTP/1.1 ${status} ${refusal.toJSON().error}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function refusalFor(parserCode: string | undefined): StandinError {
  const refusals: Record<string, [ErrorCode, string]> = {
    HPE_HEADER_OVERFLOW: ["HEADERS_TOO_LARGE", "The address and headers together may have at most 16 kB."],
    ERR_HTTP_REQUEST_TIMEOUT: ["REQUEST_TIMEOUT", "The request did not arrive in time."],
    HPE_INVALID_EOF_STATE: ["REQUEST_MALFORMED", "The request ended before it was complete."],
  };
  const [code, message] = refusals[parserCode ?? ""] ?? ["REQUEST_MALFORMED", "This is not a valid HTTP request."];
  return new StandinError(code, message);
}

async function closeAll(servers: readonly Server[], quietMs: number): Promise<void> {
  let quietSweeps = 0;
  /** Ends the connection of a response with that response. */
  const letGo = (res: ServerResponse): void => {
    quietSweeps = 0;
    res.shouldKeepAlive = false;
  };
  for (const server of servers) {
    for (const event of ["request", "checkExpectation"]) {
      server.prependListener(event, (_req: IncomingMessage, res: ServerResponse) => letGo(res));
    }
  }
  for (const { _httpMessage: running } of connectionsOf(servers, "http")) if (running) letGo(running);
  await acceptWaiting(servers);
  /** Waits for a sweep, or for the end; then tells whether requests have stopped coming. */
  const isQuiet = async (closed?: Promise<void>): Promise<boolean> => {
    const began = performance.now();
    await (closed ? Promise.race([closed, sleep(SWEEP_MS)]) : sleep(SWEEP_MS));
    // A timer comes before what has arrived is read, this after it.
    await nextTurn();
    // Sweeps, not milliseconds: where the machine is busy, both sides take longer, and a client may wait for its turn
    // several times as long as we did.
    const isLate = performance.now() - began > 2 * SWEEP_MS;
    quietSweeps += isLate ? 1 / 4 : 1;
    return quietSweeps * SWEEP_MS > quietMs;
  };
  if (!servers.every(canKeepIdle)) {
    const acceptUntil = performance.now() + ACCEPT_MS;
    while (!(await isQuiet()) && performance.now() < acceptUntil);
  }
  let isClosed = false;
  const closed = Promise.all(servers.map(stopAccepting)).then(() => {
    isClosed = true;
  });
  const giveUpAt = performance.now() + GRACE_MS;
  while (!isClosed && performance.now() < giveUpAt) if (await isQuiet(closed)) closeIdle(servers);
  await abortAll(servers);
}

/** Accepts the connections that the system holds already, one in a turn: the others would be reset. */
async function acceptWaiting(servers: readonly Server[]): Promise<void> {
  let emptyTurns = 0;
  const accepted = (): void => {
    emptyTurns = 0;
  };
  for (const server of servers) server.on("connection", accepted);
  const giveUpAt = performance.now() + ACCEPT_MS;
  // The first turn may be the rest of the present one, which accepts no more connections.
  while (emptyTurns < 3 && performance.now() < giveUpAt) {
    emptyTurns++;
    await nextTurn();
  }
}

function closeIdle(servers: readonly Server[]): void {
  for (const server of servers) server.closeIdleConnections();
  // Connections without a request so far are not idle to Node.
  for (const socket of connectionsOf(servers, "tcp")) if (socket.bytesRead === 0) socket.destroy();
}

/**
 * Destroys every connection, also those in a TLS handshake, which Node does not count. Only the server's own `close` ends
 * the timer by which Node checks connections, which would keep the server in memory.
 */
async function abortAll(servers: readonly Server[]): Promise<void> {
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
  for (const socket of connectionsOf(servers, "tcp")) socket.destroy();
  await Promise.all(closed);
}

/** Whether a server can stop accepting without closing idle connections. Bun's HTTP server is no `net.Server`. */
function canKeepIdle(server: object): boolean {
  return server instanceof NetServer;
}

/** Resolves when the last connection is closed. An HTTP server's own `close` would close idle ones at once. */
function stopAccepting(server: Server): Promise<void> {
  const { close }: NetServer = canKeepIdle(server) ? NetServer.prototype : server;
  return new Promise((resolve) => {
    close.call(server, () => resolve());
  });
}

function hostForUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

function isInUse(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException).code === "EADDRINUSE";
}
