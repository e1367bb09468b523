import type { LayerRequest } from "./layer.ts";
import type { LayerSettings } from "./settings.ts";

/** Segments that mean something else than they say, to one server or another: a path with one of them is never public. */
const SUSPICIOUS = /\/\.{0,2}(?=\/)|\/\.{1,2}$|\\|\p{Cc}/u;

/** Parameters that reach into other collections than the one in the path. */
const RELATION_PARAMETERS: ReadonlySet<string> = new Set(["_embed", "_expand", "_dependent"]);

/**
 * Recognises requests that a public route lets in by itself: the path, as the client sent it, is one of these routes or
 * lies below one, and no parameter reaches into another collection. Case counts. Only the route knows whether a path below
 * leads into another collection, such as `/open/1/secrets`: it demands the credentials then.
 */
export function createPublicRoutes(routes: readonly string[]): (req: LayerRequest, demand: () => void) => boolean {
  return function isPublic(req, demand) {
    const { clientPath } = req;
    // An encoded slash or backslash would change the segments once decoded.
    if (/%2f|%5c/i.test(clientPath)) return false;
    let path: string;
    try {
      path = decodeURIComponent(clientPath);
    } catch {
      return false;
    }
    if (SUSPICIOUS.test(path)) return false;
    if (reachesBeyondPath(req)) return false;
    const isRoute = routes.includes(path.replace(/\/$/, ""));
    if (!isRoute && !routes.some((route) => path.startsWith(`${route}/`))) return false;
    req.isPublic = true;
    if (isRoute) return true;
    const { demandCredentials: others } = req;
    req.demandCredentials = () => {
      others?.();
      demand();
    };
    return true;
  };
}

/**
 * Looks at what the route reads, at the rewritten address and, behind interceptors, at the parameters they may have changed.
 * The parameters of a QUERY are in its body, which no layer reads.
 */
function reachesBeyondPath(req: LayerRequest): boolean {
  const { routeSearch, url, query } = req;
  if (req.method === "QUERY") return true;
  if (typeof query === "object" && query !== null && Object.keys(query).some(isRelationParameter)) return true;
  if (namesRelation(routeSearch)) return true;
  const question = url.indexOf("?");
  return question !== -1 && namesRelation(url.slice(question + 1));
}

function namesRelation(search: string): boolean {
  return search !== "" && search.split("&").some((pair) => isRelationParameter(decoded(pair.split("=", 1)[0]!)));
}

/** Covers every spelling that some parser reads as the name: `_embed`, `_embed[]`, `_embed[0][0]`, `[_embed]`. */
function isRelationParameter(name: string): boolean {
  const [, plain = ""] = /^\[?([^[\].]*)/.exec(name) ?? [];
  return RELATION_PARAMETERS.has(plain);
}

/** Decodes each escape by itself, so that a broken one does not hide the others. */
function decoded(name: string): string {
  return name.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The setting of that name; a route that could never be matched is a mistake. */
export function readPublicRoutes(settings: LayerSettings, fallback: string[]): string[] {
  const routes = settings.texts("publicRoutes", fallback);
  const wrong = routes.find((route) => !/^(\/[^/]+)+$/.test(route) || SUSPICIOUS.test(route));
  if (wrong === undefined) return routes;
  throw settings.problem("publicRoutes", `holds ${JSON.stringify(wrong)}; a public route is a path such as "/health".`);
}
