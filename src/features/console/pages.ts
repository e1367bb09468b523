import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Request, Response } from "express";
import Negotiator from "negotiator";
import type { Exchange } from "../../http/exchange.ts";
import type { Pages, Service } from "../../http/service.ts";
import { packageFile } from "../../package-file.ts";

/** Nothing but our own files, and no answers but this server's. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Names that change with their content: `assets/index-BX3kq9Zz.js`. */
const HASHED = /^\/assets\/.+-[\w-]{8}\.\w+$/;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Folders of built pages in the package, by the name under which they are served. */
const FOLDERS = { __console: "dist/console", __docs: "dist/docs" } as const;
type PageName = keyof typeof FOLDERS;

/**
 * The console and the documentation page. They stand before the layers, as a browser cannot send a key when it opens an
 * address; they hold no data, and ask for them by themselves.
 */
export function createPages(service: Service): Pages {
  const { store, settings } = service;
  const folders = new Map<PageName, string | undefined>();
  const folderOf = (name: PageName): string | undefined => {
    if (!folders.has(name)) folders.set(name, builtFolder(name));
    return folders.get(name);
  };

  return { mayAnswer: mayBePage, answer };

  async function answer(exchange: Exchange): Promise<boolean> {
    const { method, client, prefix } = exchange;
    // The console talks to the address it came from: below the prefix of a sandbox it would miss its files.
    if (prefix !== "") return false;
    if (!mayBePage(exchange)) return false;
    if (method !== "GET" && method !== "HEAD") return false;
    const [name, file] = client.path === "/" ? ["__console" as const, "/"] : pageOf(client.path);
    // A collection of that name wins.
    if (name === undefined || store.kindOf(name) !== undefined) return false;
    if (client.path === "/" && !(isForPeople(exchange) && service.rewriter.rewrite(client).path === "/")) return false;
    const folder = folderOf(name);
    return folder !== undefined && sendFile(exchange, folder, file, settings.compression);
  }
}

/** Whether it is worth asking: pages have few addresses. */
function mayBePage({ client: { path } }: Exchange): boolean {
  return path === "/" || path.startsWith("/__");
}

function pageOf(path: string): [PageName | undefined, string] {
  const name = (Object.keys(FOLDERS) as PageName[]).find((one) => path === `/${one}` || path.startsWith(`/${one}/`));
  return [name, name === undefined ? "" : path.slice(name.length + 1) || "/"];
}

/** Browsers ask for pages; everyone else gets JSON at `/`. */
function isForPeople({ req }: Exchange): boolean {
  return new Negotiator(req).mediaType(["application/json", "text/html"]) === "text/html";
}

function builtFolder(name: PageName): string | undefined {
  const folder = fileURLToPath(packageFile(FOLDERS[name]));
  return existsSync(folder) ? folder : undefined;
}

async function sendFile(
  { req, res, client }: Exchange,
  folder: string,
  path: string,
  isCompressed: boolean,
): Promise<boolean> {
  // Loaded when the first page is opened.
  const { default: send } = await import("send");
  const { default: compression } = await import("compression");
  const isHashed = HASHED.test(path);
  return new Promise((resolve) => {
    const stream = send(req, path, {
      root: folder,
      dotfiles: "ignore",
      index: "index.html",
      cacheControl: isHashed,
      immutable: isHashed,
      maxAge: YEAR_SECONDS * 1000,
    });
    stream.on("headers", () => {
      if (!isHashed) res.setHeader("Cache-Control", "no-cache");
      if (client.path === "/") res.setHeader("Vary", "Accept, Accept-Encoding");
      res.setHeader("Content-Security-Policy", POLICY);
      res.setHeader("X-Content-Type-Options", "nosniff");
      res.setHeader("Referrer-Policy", "no-referrer");
    });
    stream.on("directory", () => resolve(false));
    stream.on("error", () => resolve(false));
    res.on("close", () => resolve(true));
    if (isCompressed) compression()(req as Request, res as Response, () => stream.pipe(res));
    else stream.pipe(res);
  });
}
