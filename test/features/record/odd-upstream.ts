import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

/** A real API with everything that proxies get wrong. */
export interface OddUpstream {
  readonly url: string;
  /** The requests as they arrived. */
  readonly seen: {
    readonly method: string;
    readonly url: string;
    readonly headers: [string, string][];
    body: string;
  }[];
  close(): Promise<void>;
}

const BODY = JSON.stringify({ text: "ä".repeat(2000) });
const ENCODINGS = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync } as const;

/** Starts the API; `respond` handles what it has no route for. */
export async function startOddUpstream(respond?: RequestListener): Promise<OddUpstream> {
  const seen: OddUpstream["seen"] = [];
  const server = createServer(async (req, res) => {
    const { pathname } = new URL(req.url ?? "/", "http://x");
    const entry = { method: req.method ?? "", url: req.url ?? "", headers: pairsOf(req), body: "" };
    seen.push(entry);
    const [, kind, name = ""] = pathname.split("/");
    if (kind === "encoded") {
      const encode = ENCODINGS[name as keyof typeof ENCODINGS];
      const bytes = encode(BODY);
      res.writeHead(200, {
        "Content-Type": "application/json",
        "Content-Encoding": name,
        "Content-Length": bytes.length,
      });
      res.end(bytes);
    } else if (kind === "chunks") {
      res.writeHead(200, { "Content-Type": "text/plain" });
      for (const piece of ["one ", "two ", "three"]) res.write(piece);
      res.end();
    } else if (kind === "events") {
      res.writeHead(200, { "Content-Type": "text/event-stream" });
      res.write(": open\n\ndata: 1\n\n");
    } else if (kind === "cookies") {
      res.writeHead(200, [
        ...["Set-Cookie", "sid=1; Domain=api.test; Secure; HttpOnly; SameSite=None"],
        ...["Set-Cookie", "__Host-a=2; Path=/; Secure"],
        ...["X-Twice", "1", "X-Twice", "2"],
      ]);
      res.end("{}");
    } else if (kind === "redirect") {
      const { host } = req.headers;
      res.writeHead(302, {
        Location: name === "away" ? "https://elsewhere.test/a" : `http://${host}/v1/b?c=1`,
        Link: `<http://${host}/v1/p?page=2>; rel="next", <https://elsewhere.test/>; rel="help"`,
        "Access-Control-Allow-Origin": "https://app.test",
        "Strict-Transport-Security": "max-age=1",
        "Alt-Svc": "h3",
      });
      res.end();
    } else if (kind === "hang") {
      res.socket?.on("error", () => {});
    } else if (kind === "cut") {
      res.writeHead(200, { "Content-Length": "100" });
      res.write("half", () => res.destroy());
    } else if (respond) {
      respond(req, res);
    } else {
      entry.body = await text(req);
      res.writeHead(200, { "Content-Type": "application/json", Connection: "X-Gone", "X-Gone": "1" });
      res.end(JSON.stringify({ method: req.method, url: req.url, body: entry.body }));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close: () => closed(server) };
}

function pairsOf({ rawHeaders }: IncomingMessage): [string, string][] {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""] as [string, string]] : []));
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

/** The body of `/encoded/...`. */
export const ENCODED_BODY = BODY;
