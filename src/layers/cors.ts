import { anyOriginHeaders, asksForQuery } from "../base/cross-origin.ts";
import type { Layer, LayerDefinition } from "./layer.ts";
import type { LayerSettings } from "./settings.ts";

const METHODS = "GET, POST, PUT, DELETE, PATCH, OPTIONS";
const HEADERS = ["Origin", "X-Requested-With", "Content-Type", "Accept", "Authorization"];

export interface CorsOptions {
  /** Header names that pages may send beside the usual ones, such as `X-API-KEY`. */
  readonly allowHeaders: readonly string[];
}

/** Opens the service to pages of every origin, and responds to `OPTIONS` by itself. */
export function cors({ allowHeaders }: CorsOptions): Layer {
  const headers = anyOriginHeaders(METHODS, [...HEADERS, ...allowHeaders].join(", "));
  return function cors(req, res, next) {
    for (let at = 0; at < headers.length; at += 2) res.setHeader(headers[at]!, headers[at + 1]!);
    if (req.method !== "OPTIONS") return next();
    if (asksForQuery(req.headers)) res.setHeader("Access-Control-Allow-Methods", `${METHODS}, QUERY`);
    res.reply({ status: 200 });
  };
}

export function readCorsOptions(settings: LayerSettings): CorsOptions {
  const allowHeaders = settings.texts("allowHeaders", []);
  const wrong = allowHeaders.find((name) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  if (wrong !== undefined)
    throw settings.problem("allowHeaders", `holds ${JSON.stringify(wrong)}, which is no header name.`);
  return { allowHeaders };
}

export const corsLayer: LayerDefinition = {
  name: "cors",
  isAskedOnce: true,
  precedesGuards: true,
  create: (settings) => cors(readCorsOptions(settings)),
};
