import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve, sep } from "node:path";
import { afterEachFile } from "./leftovers.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export interface StaticServer {
  /** Without a slash at the end. */
  readonly url: string;
  close(): void;
}

/**
 * Serves the files of a folder below `path`, such as `/repo`, as plain static hosting does. `beside` may respond to a
 * request in its place.
 */
export async function serveStatic(
  folder: string,
  path = "",
  beside: (req: IncomingMessage, res: ServerResponse) => boolean = () => false,
): Promise<StaticServer> {
  const server = createServer((req, res) => {
    if (!beside(req, res)) sendFile(req, res, { folder: resolve(folder), path });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  afterEachFile(async () => close());
  return { url: `http://localhost:${(server.address() as AddressInfo).port}${path}`, close };
}

function sendFile(
  { url = "", method }: IncomingMessage,
  res: ServerResponse,
  { folder, path }: { folder: string; path: string },
) {
  const [wanted = ""] = url.split("?");
  const file = wanted.startsWith(`${path}/`) ? join(folder, decodeURIComponent(wanted.slice(path.length))) : "";
  const isInside = `${file}${sep}`.startsWith(`${folder}${sep}`);
  if (!isInside || !existsSync(file) || (method !== "GET" && method !== "HEAD"))
    return res.writeHead(404).end("Not found");
  if (!statSync(file).isDirectory()) return send(res, file);
  if (!wanted.endsWith("/")) return res.writeHead(301, { Location: `${wanted}/${url.slice(wanted.length)}` }).end();
  return existsSync(join(file, "index.html"))
    ? send(res, join(file, "index.html"))
    : res.writeHead(404).end("Not found");
}

function send(res: ServerResponse, file: string): void {
  res.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "text/plain", "Cache-Control": "max-age=600" });
  res.end(readFileSync(file));
}
