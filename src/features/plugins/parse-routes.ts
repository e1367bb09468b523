import { StartError } from "../../base/errors.ts";
import { didYouMean } from "../../base/nearest.ts";
import type { Method } from "../../http/contract.ts";
import type { Plugin, PluginRoute } from "./types.ts";

export interface RouteEntry extends PluginRoute {
  readonly method: Method;
  readonly path: string;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const satisfies readonly Method[];
/** Each part of a path is a plain text or a variable, the first one a text. Requests are compared decoded. */
const PATH = /^\/[^/:?#*%\s]+(\/(:[A-Za-z_]\w*|[^/:?#*%\s]+))*$/;

/** Reads the keys of `routes`, such as `"GET /dashboard/:id"`. */
export function parseRoutes(routes: NonNullable<Plugin["routes"]>, source: string): RouteEntry[] {
  return Object.entries(routes).map(([key, given]) => {
    const refuse = (reason: string): StartError =>
      new StartError(`The plugin ${source} cannot be used: the route "${key}" ${reason}`);
    const [method = "", path = "", ...more] = key.trim().split(/\s+/);
    if (path === "" || more.length > 0) throw refuse('must be a method and a path, such as "GET /dashboard/:id".');
    if (!isMethod(method)) {
      throw refuse(`has an unknown method.${didYouMean(method, METHODS)} Methods are ${METHODS.join(", ")}.`);
    }
    if (!PATH.test(path)) {
      throw refuse(
        "has an invalid path: write segments as /text, without percent-escapes, or as /:name; the first one must be /text.",
      );
    }
    if (path.startsWith("/__") || path === "/db") throw refuse(`is not allowed: ${path} is reserved for standin.`);
    const route = typeof given === "function" ? { handle: given } : given;
    if (typeof route?.handle !== "function") throw refuse('must be a function, or an object with a function "handle".');
    return { ...route, method, path };
  });
}

function isMethod(text: string): text is Method {
  return (METHODS as readonly string[]).includes(text);
}
