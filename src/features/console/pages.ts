import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Negotiator from "negotiator";
import { packageFile } from "../../base/files/package-file.ts";
import type { Call } from "../../http/call.ts";
import type { OpenFeature, Service } from "../../http/contract.ts";
import type { FileReply } from "../../http/node/send-file.ts";

/** Allows our own files and requests to this server, and images of any host: the data may have URLs of some. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: http: https:; connect-src 'self'; " +
  "media-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Names that change with their content: `assets/index-BX3kq9Zz.js`. */
const HASHED = /^\/assets\/.+-[\w-]{8}\.\w+$/;

/** Built into the package. */
const CONSOLE = "dist/console";
const GUIDE = "dist/guide";

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
  const folders = new Map<string, string | undefined>();
  const built = (folder: string): string | undefined => {
    if (!folders.has(folder)) folders.set(folder, builtFolder(folder));
    return folders.get(folder);
  };
  return (call) => {
    const { base, client, prefix } = call;
    const [name, path] = client.path === "/" ? ["__console", "/"] : pageOf(client.path);
    if (name === undefined || isTaken(name, client.path)) return undefined;
    if (client.path === "/" && !(isForPeople(call) && service.rewriter.rewrite(client).path === "/")) return undefined;
    // Below the prefix of a sandbox there are the pages alone: they request their files from above it.
    if (prefix !== base && path !== "/") return undefined;
    const folder = built(name === "__guide" ? GUIDE : CONSOLE);
    if (folder === undefined) return undefined;
    const page = pageIn(folder, path, client.path === "/");
    return base !== "" && path === "/" && name !== "__guide" ? { ...page, base } : page;
  };
}

function pageIn(folder: string, path: string, isAlsoJson: boolean): FileReply {
  const isImmutable = HASHED.test(path);
  return {
    folder,
    path,
    isImmutable,
    isCompressed: true,
    headers: {
      ...(!isImmutable && { "Cache-Control": "no-cache" }),
      ...(isAlsoJson && { Vary: "Accept, Accept-Encoding" }),
      "Content-Security-Policy": POLICY,
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
    },
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

function builtFolder(name: string): string | undefined {
  const folder = fileURLToPath(packageFile(name));
  return existsSync(folder) ? folder : undefined;
}
