import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Negotiator from "negotiator";
import type { Exchange } from "../../http/exchange.ts";
import type { FileReply } from "../../http/response/send-file.ts";
import type { Pages, Service } from "../../http/service.ts";
import { packageFile } from "../../package-file.ts";

/** Allows our own files and requests to this server, nothing else but images. */
function policyWith(images: string): string {
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src ${images}; connect-src 'self'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  );
}

/** The console shows thumbnails of image URLs in the data, which may lead to any host. */
const POLICIES = { __console: policyWith("'self' data: http: https:"), __docs: policyWith("'self' data:") } as const;
/** Names that change with their content: `assets/index-BX3kq9Zz.js`. */
const HASHED = /^\/assets\/.+-[\w-]{8}\.\w+$/;

/** Files of the viewer, which the build compresses, with their types: they are a third of the package otherwise. */
const PACKED: Readonly<Record<string, string>> = {
  "/swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "/swagger-ui.css": "text/css; charset=utf-8",
};

/** Folders of built pages in the package, by the name under which they are served. */
const FOLDERS = { __console: "dist/console", __docs: "dist/docs" } as const;
type PageName = keyof typeof FOLDERS;

/**
 * The console and the documentation page. They are served in front of the layers, because a browser cannot send a key
 * when it opens an address; they hold no data, and request it themselves.
 */
export function createPages(service: Service): Pages {
  const folders = new Map<PageName, string | undefined>();
  const folderOf = (name: PageName): string | undefined => {
    if (!folders.has(name)) folders.set(name, builtFolder(name));
    return folders.get(name);
  };
  return {
    pageFor(exchange) {
      const { client, prefix } = exchange;
      const [name, path] = client.path === "/" ? ["__console" as const, "/"] : pageOf(client.path);
      // A collection of that name wins.
      if (name === undefined || service.store.kindOf(name) !== undefined) return undefined;
      if (client.path === "/" && !(isForPeople(exchange) && service.rewriter.rewrite(client).path === "/"))
        return undefined;
      // Below the prefix of a sandbox there are the pages alone: they request their files from above it.
      if (prefix !== "" && path !== "/") return undefined;
      const folder = folderOf(name);
      return folder === undefined ? undefined : pageIn(name, folder, path, client.path === "/");
    },
  };
}

function pageIn(name: PageName, folder: string, path: string, isAlsoJson: boolean): FileReply {
  const isImmutable = HASHED.test(path);
  return {
    folder,
    path,
    isImmutable,
    isCompressed: true,
    packedType: name === "__docs" && Object.hasOwn(PACKED, path) ? PACKED[path] : undefined,
    headers: {
      ...(!isImmutable && { "Cache-Control": "no-cache" }),
      ...(isAlsoJson && { Vary: "Accept, Accept-Encoding" }),
      "Content-Security-Policy": POLICIES[name],
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
    },
  };
}

function pageOf(path: string): [PageName | undefined, string] {
  const name = (Object.keys(FOLDERS) as PageName[]).find((one) => path === `/${one}` || path.startsWith(`/${one}/`));
  return [name, name === undefined ? "" : path.slice(name.length + 1) || "/"];
}

/** Browsers accept pages; other clients get JSON at `/`. */
function isForPeople({ req }: Exchange): boolean {
  return new Negotiator(req).mediaType(["application/json", "text/html"]) === "text/html";
}

function builtFolder(name: PageName): string | undefined {
  const folder = fileURLToPath(packageFile(FOLDERS[name]));
  return existsSync(folder) ? folder : undefined;
}
