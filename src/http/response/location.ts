import type { Exchange } from "../exchange.ts";
import type { Service } from "../service.ts";

/**
 * The absolute URL of a record. After a rewrite it is the client's own path plus the id, provided that this leads to the
 * record; so a client of `/api/v1/products` stays under `/api/v1`.
 */
export function locationOf(exchange: Exchange, { rewriter }: Service, collection: string, id: string): string {
  const plain = `/${encodeURIComponent(collection)}/${encodeURIComponent(id)}`;
  if (exchange.client !== exchange.target) {
    const own = `${exchange.client.path.replace(/\/$/, "")}/${encodeURIComponent(id)}`;
    if (rewriter.rewrite({ path: own, search: "" }).path === plain) return `${exchange.baseUrl}${own}`;
  }
  return `${exchange.baseUrl}${plain}`;
}
