import type { Exchange } from "../exchange.ts";

/** Answers any OPTIONS request as 0.17's cross-origin handling does: everything asked for is allowed. */
export function answerPreflight(exchange: Exchange): void {
  const { req, res } = exchange;
  const headers = ["Vary", "Origin, Access-Control-Request-Headers", "Access-Control-Allow-Credentials", "true"];
  if (req.headers.origin !== undefined) headers.push("Access-Control-Allow-Origin", req.headers.origin);
  headers.push("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE");
  const wanted = req.headers["access-control-request-headers"];
  if (wanted !== undefined) headers.push("Access-Control-Allow-Headers", wanted);
  headers.push("Content-Length", "0");
  res.writeHead(204, headers);
  res.end();
  exchange.answeredBy = "cors";
  exchange.traffic?.record(exchange, 204, headers);
}
