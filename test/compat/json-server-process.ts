import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../src/json.ts";

/**
 * A process full of json-servers 0.17.4, each put together as its command line does with `--foreignKeySuffix _id
 * --quiet`. A message names a server and the database it shall serve from now on, which has the members of the one
 * before; the answer is the server's port.
 */
export interface ServeMessage {
  readonly server: number;
  /** Undefined: the server shall stop. */
  readonly data?: JsonObject | undefined;
}

export interface ServingMessage {
  readonly server: number;
  readonly port: number;
}

type Middleware = (req: unknown, res: unknown, next: unknown) => void;
interface JsonServerModule {
  create(): {
    use(middleware: Middleware | Middleware[]): void;
    listen(port: number, host: string, done: () => void): Server;
  };
  defaults(options: { logger: boolean; bodyParser: boolean }): Middleware[];
  router(data: JsonObject, options: { foreignKeySuffix: string }): Router;
}
interface Router extends Middleware {
  readonly db: { setState(data: JsonObject): void };
}

const jsonServer = createRequire(import.meta.url)("json-server") as JsonServerModule;
const running = new Map<number, { readonly port: number; readonly router: Router; readonly http: Server }>();

// It prints the stack of every 500 it answers, and 500s are part of what it is asked for.
console.error = () => {};

process.on("message", async ({ server, data }: ServeMessage) => {
  const known = running.get(server);
  if (!data) {
    known?.http.close();
    known?.http.closeAllConnections();
    running.delete(server);
    return;
  }
  // A new router would take ten times as long; the routes of this one fit, since the names are the same.
  known?.router.db.setState(data);
  const { port } = known ?? (await start(server, data));
  process.send?.({ server, port } satisfies ServingMessage);
});
process.on("disconnect", () => process.exit());

function start(server: number, data: JsonObject): Promise<{ port: number }> {
  const app = jsonServer.create();
  const router = jsonServer.router(data, { foreignKeySuffix: "_id" });
  app.use(jsonServer.defaults({ logger: false, bodyParser: true }));
  app.use(router);
  return new Promise((resolve) => {
    const http = app.listen(0, "127.0.0.1", () => {
      http.keepAliveTimeout = 0;
      const { port } = http.address() as AddressInfo;
      running.set(server, { port, router, http });
      resolve({ port });
    });
  });
}
