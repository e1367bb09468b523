import { type IRoute, type Request, Router } from "express";
import pluralize from "pluralize";
import type { Call } from "../http/call.ts";
import { memberName, segmentsOf } from "../http/router.ts";
import { namePattern } from "../query/operator-table.ts";
import type { Reads } from "../store/store.ts";

/** Parameters that 0.17.4 takes out of `req.query` before it lists records. */
const TAKEN_OUT = ["q", "_start", "_end", "_sort", "_order", "_limit", "_embed", "_expand"];
/** Those that it leaves without a look at the records. */
const LEFT = new RegExp(`^callback$|^_$|_(?:${namePattern(({ suffix }) => suffix === "always")})$`);

type Method = "get" | "post" | "put" | "patch" | "delete";

function route(path: string, methods: readonly Method[]): { readonly made: IRoute; readonly methods: Set<string> } {
  const made = Router().route(path);
  for (const method of methods) made[method]((_req, _res, next) => next());
  return { made, methods: new Set(methods) };
}

/** The routes of 0.17.4 by their paths below the collection's name; `render` finds the last one in `req.route`. */
const ROUTES = {
  collection: route("/", ["get", "post"]),
  singleton: route("/", ["get", "post", "put", "patch"]),
  record: route("/:id", ["get", "put", "patch", "delete"]),
  nestedGet: route("/:resource/:id/:nested", ["get"]),
  nestedPost: route("/:resource/:id/:nested", ["post"]),
};

interface Routed {
  readonly call: Call;
  readonly store: Reads;
  readonly suffix: string;
}

/** Leaves a request as the routes of 0.17.4 do, for the project's own `render`. */
export async function showAsRouted(req: Request, { call, store, suffix }: Routed): Promise<void> {
  const [first = "", id, child, ...more] = segmentsOf(call.target.path);
  const method = (call.method === "HEAD" ? "GET" : call.method).toLowerCase();
  const take = (one: keyof typeof ROUTES): boolean => {
    const { made, methods } = ROUTES[one];
    if (methods.has(method)) req.route = made;
    return methods.has(method);
  };
  delete req.query._delay;
  if (more.length > 0) return;
  const isNested = child !== undefined;
  if (isNested && !take("nestedGet") && !take("nestedPost")) return;
  if (isNested) {
    req.url = `/${child}`;
    if (method === "get") req.query[`${pluralize.singular(first)}${suffix}`] = id;
  }
  const name = memberName(store, child ?? first);
  if (name === undefined) return;
  const isCollection = store.kindOf(name) === "collection";
  if (id !== undefined && !isNested) {
    if (isCollection) take("record");
  } else if (take(isCollection ? "collection" : "singleton") && isCollection && method === "get") {
    await takeOutParameters(req, store, name);
  }
}

async function takeOutParameters({ query }: Request, store: Reads, collection: string): Promise<void> {
  for (const name of TAKEN_OUT) delete query[name];
  const isEmpty = store.members().find(({ name }) => name === collection)?.count === 0;
  const held = await store.heldPaths(collection, Object.keys(query));
  for (const name of Object.keys(query)) if (isEmpty || !(held.has(name) || LEFT.test(name))) delete query[name];
}
