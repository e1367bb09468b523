/** `standin/vite`: the service in the development server of Vite, and in its preview. */
import type { Connect, Plugin, PreviewServer, ViteDevServer } from "vite";
import { StartError } from "../base/errors.ts";
import { isBelow, readBase } from "../http/base-path.ts";
import { parseTarget } from "../http/call.ts";
import type { StandinOptions } from "./program-options.ts";
import { type ViteBuildOptions, writeIntoBuild } from "./vite-build.ts";
import { deniedFiles } from "./vite-places.ts";
import { ViteService } from "./vite-service.ts";

/** The options of `createStandin`, apart from those of a server. Writes go to the `source`, unless `persist` is false. */
export type StandinViteOptions = StandinOptions & {
  readonly port?: never;
  readonly host?: never;
  /** Writes the API into the build, as a service worker that its pages start. Off by default. */
  readonly build?: boolean | ViteBuildOptions;
};

/**
 * Serves data in Vite's own server, below `base`: in development, and in the preview of a build. A build has nothing
 * of it, unless `build` asks for it; the preview then leaves the API to the worker of the build.
 *
 * @example
 * export default defineConfig({ plugins: [standin({ source: "db.json", base: "/api" })] });
 */
export function standin({ base: given = "/api", build = false, ...options }: StandinViteOptions): Plugin {
  const base = readBase(given);
  if (base === "") throw new StartError("standin/vite needs a base such as /api: your app is at /.");
  const mount = async (server: ViteDevServer | PreviewServer): Promise<void> => {
    const service = new ViteService({ ...options, base } as StandinOptions, server);
    // Vite's own CORS and host checks are for the files of the app; the API has its own.
    server.middlewares.stack.unshift({ route: "", handle: handlerOf(service, base) });
    showAddress(server, `${base}${options.console === false ? "" : "/__console"}`);
    closeWith(server, service);
    // Vitest starts a server for its own files; only tests in a browser may request data from it.
    const isVitest = server.config.plugins.some(({ name }) => name === "vitest");
    if (!isVitest) await service.open();
  };
  const inBuild =
    build &&
    writeIntoBuild({ ...options, base } as StandinOptions & { readonly base: string }, build === true ? {} : build);
  return {
    name: "standin",
    apply: (_config, { command }) => command === "serve" || build !== false,
    config: (config) => ({ server: { fs: { deny: deniedFiles(config, options as StandinOptions) } } }),
    configureServer: mount,
    ...(inBuild || { configurePreviewServer: mount }),
  };
}

function handlerOf(service: ViteService, base: string): Connect.NextHandleFunction {
  return (req, res, next) => {
    if (!isBelow(base, parseTarget(req.url ?? "/").path) || !service.isAtWork) return next();
    if (req.httpVersionMajor === 2) likeHttp1(req);
    service.handle(req, res).catch(next);
  };
}

/** HTTP/2 has the host among headers of its own, and its frames say whether there is a body. */
function likeHttp1(req: Connect.IncomingMessage & { readonly stream?: { readonly endAfterHeaders?: boolean } }): void {
  const { headers, rawHeaders, stream } = req;
  headers.host ??= String(headers[":authority"]);
  if (headers["content-length"] === undefined && !stream?.endAfterHeaders) headers["transfer-encoding"] = "chunked";
  while (rawHeaders[0]?.startsWith(":")) rawHeaders.splice(0, 2);
}

/**
 * Closing the server waits until the data is saved. A restart closes the last server past its `close`, and without a
 * server of HTTP in middleware mode, but always its watcher.
 */
function closeWith(server: ViteDevServer | PreviewServer, service: ViteService): void {
  const part: { close(): Promise<void> } = "watcher" in server ? server.watcher : server;
  const close = part.close.bind(part);
  part.close = async () => {
    await Promise.all([service.close(), close()]);
  };
  server.httpServer?.once("close", () => void service.close());
  server.httpServer?.once("listening", () => service.announceAddress());
}

function showAddress(server: ViteDevServer | PreviewServer, path: string): void {
  const printUrls = server.printUrls.bind(server);
  server.printUrls = () => {
    printUrls();
    const { local = [], network = [] } = server.resolvedUrls ?? {};
    const [url] = [...local, ...network];
    if (url !== undefined) server.config.logger.info(`  ➜  standin: ${new URL(path, url)}`);
  };
}
