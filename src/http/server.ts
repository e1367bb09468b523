import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { ERRORS, type ErrorCode, StandinError } from "../errors.ts";
import type { Messages } from "./express/message-classes.ts";
import type { RequestHandler } from "./handler.ts";
import type { Certificate } from "./tls/certificate.ts";

/** How long running requests may take to finish after a stop was asked for. */
const GRACE_MS = 5000;
/** How long, after a stop was asked for, new connections may keep coming. */
const ACCEPT_MS = 1000;
/** How often, while stopping, connections are looked at. */
const SWEEP_MS = 10;
/** Node would refuse a missing Host header by itself, and not in our form. */
const LENIENT = { requireHostHeader: false };
/** Ports tried when any port will do but the second address has it taken. */
const ANY_PORT_TRIES = 20;

export interface Listening {
  readonly port: number;
  /** An address that works from this machine, such as `http://localhost:3000`. */
  readonly url: string;
  /**
   * Stops accepting, lets what runs finish (bounded), and resolves when every connection is closed. A connection in use
   * is let go of with its next response, and not closed under a request that is on its way: idle ones stay open until no
   * request has come on any of them for `quietMs`.
   */
  close(quietMs?: number): Promise<void>;
  /** Stops at once, whatever runs. */
  abort(): Promise<void>;
}

/** Listens; `localhost` means both of its addresses, IPv4 and IPv6, whichever the client's resolver picks. */
export async function listen(
  handler: RequestHandler,
  host: string,
  port: number,
  certificate?: Pick<Certificate, "cert" | "key">,
  messages?: Messages,
): Promise<Listening> {
  const hosts = host === "localhost" ? ["127.0.0.1", "::1"] : [host];
  for (let tries = 1; ; tries++) {
    const servers: Server[] = [];
    try {
      let bound = port;
      for (const address of hosts) {
        const server = await listenOn(handler, address, bound, certificate, messages);
        if (!server) continue;
        servers.push(server);
        bound = (server.address() as AddressInfo).port;
      }
      return {
        port: bound,
        url: `${certificate ? "https" : "http"}://${hostForUrl(host)}:${bound}`,
        close: (quietMs = 0) => closeAll(servers, quietMs),
        abort: () => abortAll(servers),
      };
    } catch (thrown) {
      for (const server of servers) server.close();
      if (port !== 0 || !isInUse(thrown) || tries === ANY_PORT_TRIES) throw thrown;
    }
  }
}

/** Undefined when the machine has no such address (IPv6 switched off) and it is not the only one asked for. */
async function listenOn(
  handler: RequestHandler,
  host: string,
  port: number,
  certificate: Pick<Certificate, "cert" | "key"> | undefined,
  messages: Messages | undefined,
): Promise<Server | undefined> {
  const options = { ...LENIENT, ...messages };
  const server = certificate
    ? // Loaded for those who have a certificate only.
      (await import("node:https")).createServer(
        { ...options, cert: certificate.cert, key: certificate.key, minVersion: "TLSv1.2" },
        handler,
      )
    : createServer(options, handler);
  // Node would drop those beyond the 2000th without a word, an Origin or a Content-Length among them. 16 kB bound them.
  server.maxHeadersCount = 0;
  followConnections(server);
  // An expectation we do not know is one we need not meet.
  server.on("checkExpectation", handler);
  server.on("clientError", refuseUnreadable);
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT";
      if (isMissing && host === "::1") resolve(undefined);
      else reject(error);
    });
    server.listen(port, host, () => resolve(server));
  });
}

/** A connection with the response that is being made on it. */
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
function refuseUnreadable(error: NodeJS.ErrnoException, socket: HttpSocket): void {
  const running = socket._httpMessage;
  if (error.code === "ECONNRESET" || !socket.writable || running?.headersSent) {
    socket.destroy();
    return;
  }
  // Nonsense behind a sound request: that one gets its answer first, and then it is over.
  if (running?.req.complete) {
    running.once("finish", () => socket.destroy());
    return;
  }
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
  /** With this response the client lets go of its connection. */
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
  let isClosed = false;
  const closed = Promise.all(servers.map(stopAccepting)).then(() => {
    isClosed = true;
  });
  const giveUpAt = performance.now() + GRACE_MS;
  while (!isClosed && performance.now() < giveUpAt) {
    await Promise.race([closed, sleep(SWEEP_MS)]);
    // A timer comes before what has arrived is read, this after it.
    await nextTurn();
    // Sweeps, not milliseconds: where the machine is busy, both sides take longer.
    if (++quietSweeps * SWEEP_MS > quietMs) closeIdle(servers);
  }
  await abortAll(servers);
}

/** Takes the connections that the system has let in already, one in a turn: those not accepted would be reset. */
async function acceptWaiting(servers: readonly Server[]): Promise<void> {
  let emptyTurns = 0;
  const accepted = (): void => {
    emptyTurns = 0;
  };
  for (const server of servers) server.on("connection", accepted);
  const giveUpAt = performance.now() + ACCEPT_MS;
  // The first turn may be the rest of the present one, in which nothing is accepted any more.
  while (emptyTurns < 3 && performance.now() < giveUpAt) {
    emptyTurns++;
    await nextTurn();
  }
}

function closeIdle(servers: readonly Server[]): void {
  for (const server of servers) server.closeIdleConnections();
  // Those that never asked for anything are no idle ones to Node.
  for (const socket of connectionsOf(servers, "tcp")) if (socket.bytesRead === 0) socket.destroy();
}

/**
 * All of them: one that has not finished its TLS handshake is none to Node. Only a server's own `close` ends the timer that
 * Node watches connections with, which would keep the server in memory.
 */
async function abortAll(servers: readonly Server[]): Promise<void> {
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
  for (const socket of connectionsOf(servers, "tcp")) socket.destroy();
  await Promise.all(closed);
}

/** Resolves when the last connection has gone. An HTTP server's own `close` would end those at once that are just idle. */
function stopAccepting(server: Server): Promise<void> {
  return new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
}

function hostForUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

function isInUse(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException).code === "EADDRINUSE";
}
