import Negotiator from "negotiator";
import { Buffer } from "../../base/platform/buffer.ts";
import { builtFile } from "../../base/platform/files.ts";
import type { Call } from "../../http/call.ts";
import type { OpenFeature, Service } from "../../http/contract.ts";
import type { Page } from "../../http/node/send-page.ts";
import { shortHash } from "../../http/response/headers.ts";

/** Allows our own files and requests to this server, and images of any host: the data may have URLs of some. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: http: https:; connect-src 'self'; " +
  "media-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Names that change with their content: `assets/index-BX3kq9Zz.js`. */
const HASHED = /^\/assets\/.+-[\w-]{8}\.\w+$/;

/** A file of the build, and never one above its folder. */
const NAME = /^(?:assets\/)?[\w-]+(?:\.[\w-]+)+$/;

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * The console, at `/__docs` the same page, which shows the API docs there, and at `/__guide` the documentation. They are
 * served in front of the layers, because a browser cannot send a key when it opens an address; they hold no data, and the
 * console requests it itself.
 */
export function createPages(service: Service): NonNullable<OpenFeature["pageFor"]> {
  const { store, responder } = service;
  /** A collection of that name wins, and so does an example. There may be no API description to show. */
  const isTaken = (name: string, path: string): boolean => {
    if (!responder) return store.kindOf(name) !== undefined;
    return path === "/" || (name === "__docs" && !responder.describe) || responder.has(path, "GET");
  };
  return async (call) => {
    const { base, client, prefix } = call;
    const [name, path] = client.path === "/" ? ["__console", "/"] : pageOf(client.path);
    if (name === undefined || isTaken(name, client.path)) return undefined;
    if (client.path === "/" && !(isForPeople(call) && service.rewriter.rewrite(client).path === "/")) return undefined;
    // Below the prefix of a sandbox there are the pages alone: they request their files from above it.
    if (prefix !== base && path !== "/") return undefined;
    const isGuide = name === "__guide";
    const page = await findPage(isGuide ? "guide" : "console", path === "/" ? "index.html" : path.slice(1));
    if (!page) return undefined;
    const isBelow = base !== "" && path === "/" && !isGuide;
    return { page: isBelow ? pageBelow(base, page) : page, headers: headersFor(path, client.path === "/") };
  };
}

const pages = new Map<string, Page>();

async function findPage(folder: string, name: string): Promise<Page | undefined> {
  const known = pages.get(`${folder}/${name}`);
  if (known) return known;
  const type = TYPES[/\.\w+$/.exec(name)?.[0] ?? ""];
  const bytes = type !== undefined && NAME.test(name) ? await builtFile(`${folder}/${name}`) : undefined;
  if (!type || !bytes) return undefined;
  const page = pageOfBytes(bytes, type);
  pages.set(`${folder}/${name}`, page);
  return page;
}

function pageOfBytes(bytes: Buffer, type: string): Page {
  return { bytes, type, etag: `W/"${shortHash(bytes)}"` };
}

/** The page for a service that is mounted below a base: its addresses begin with a slash. */
function pageBelow(base: string, { bytes, type }: Page): Page {
  return pageOfBytes(Buffer.from(bytes.toString().replaceAll('="/', `="${base}/`)), type);
}

function headersFor(path: string, isAlsoJson: boolean): Record<string, string> {
  return {
    "Cache-Control": HASHED.test(path) ? "public, max-age=31536000, immutable" : "no-cache",
    Vary: isAlsoJson ? "Accept, Accept-Encoding" : "Accept-Encoding",
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
  };
}

/** The name of the page and the path below it; of the API docs there is the page alone. Links of the guide need its slash. */
function pageOf(path: string): [name: string | undefined, path: string] {
  if (path === "/__docs" || path === "/__docs/") return ["__docs", "/"];
  if (path === "/__guide") return ["__guide", "/enter.html"];
  const [, name, below = "/"] = /^\/(__console|__guide)(\/.*)?$/s.exec(path) ?? [];
  return [name, below];
}

/** Browsers accept pages; other clients get JSON at `/`. */
function isForPeople(call: Call): boolean {
  return new Negotiator(call).mediaType(["application/json", "text/html"]) === "text/html";
}
