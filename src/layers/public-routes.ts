import type { LayerSettings } from "./settings.ts";

/** Segments that mean something else than they say, to one server or another: a path with one of them is never public. */
const SUSPICIOUS = /\/\.{0,2}(?=\/)|\/\.{1,2}$|\\|\p{Cc}/u;

/** Tells whether a path, as the client sent it, is one of these routes or lies below one. Case counts. */
export function createPublicRoutes(routes: readonly string[]): (clientPath: string) => boolean {
  return function isPublic(clientPath) {
    // An encoded slash or backslash would change the segments once decoded.
    if (/%2f|%5c/i.test(clientPath)) return false;
    let path: string;
    try {
      path = decodeURIComponent(clientPath);
    } catch {
      return false;
    }
    if (SUSPICIOUS.test(path)) return false;
    return routes.some((route) => path === route || path.startsWith(`${route}/`));
  };
}

/** The setting of that name; a route that could never be matched is a mistake. */
export function readPublicRoutes(settings: LayerSettings, fallback: string[]): string[] {
  const routes = settings.texts("publicRoutes", fallback);
  const wrong = routes.find((route) => !/^(\/[^/]+)+$/.test(route) || SUSPICIOUS.test(route));
  if (wrong === undefined) return routes;
  throw settings.problem("publicRoutes", `holds ${JSON.stringify(wrong)}; a public route is a path such as "/health".`);
}
