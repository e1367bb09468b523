import { StandinError } from "../../errors.ts";
import type { Exchange } from "../exchange.ts";

/** Tries to answer from a folder; tells whether it did. Paths that leave the folder and dot files are never answered. */
export type StaticFiles = (exchange: Exchange) => Promise<boolean>;

export async function createStaticFiles(folder: string, cors: boolean): Promise<StaticFiles> {
  // Loaded only when there is a folder to serve.
  const { default: send } = await import("send");
  return function staticFiles(exchange) {
    const { req, res, method, client } = exchange;
    if (method !== "GET" && method !== "HEAD") return Promise.resolve(false);
    return new Promise((resolve) => {
      const stream = send(req, client.path, { root: folder, dotfiles: "ignore", index: "index.html" });
      stream.on("headers", () => {
        res.once("finish", () => record(exchange));
        if (!cors) return;
        res.setHeader("Vary", "Origin");
        res.setHeader("Access-Control-Allow-Credentials", "true");
        if (req.headers.origin !== undefined) res.setHeader("Access-Control-Allow-Origin", req.headers.origin);
      });
      // A folder without a slash is no file: routes may have the name.
      stream.on("directory", () => resolve(false));
      stream.on("error", (error: { status?: number }) => {
        if (error.status !== 416) return resolve(false);
        const refusal = new StandinError("RANGE_INVALID", `The file has no such range: ${req.headers.range}.`);
        res.writeHead(refusal.status, { "Content-Type": "application/json; charset=utf-8" });
        res.end(JSON.stringify(refusal));
      });
      res.on("close", () => resolve(true));
      stream.pipe(res);
    });
  };
}

function record(exchange: Exchange): void {
  const { res } = exchange;
  const headers = res.getHeaders();
  exchange.answeredBy = "static";
  exchange.traffic?.record(exchange, res.statusCode, headers, undefined, Number(headers["content-length"] ?? 0));
}
