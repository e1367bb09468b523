import type { Request, Response, Router } from "express";

export interface DefaultsOptions {
  /** A folder of static files; `./public` when it exists, otherwise a page at `/`. */
  static?: string;
  logger?: boolean;
  bodyParser?: boolean;
  noCors?: boolean;
  noGzip?: boolean;
  readOnly?: boolean;
}

export interface RouterOptions {
  /** The name of the primary key field. */
  id?: string;
  /** Each collection's records decide when it is not given. */
  foreignKeySuffix?: string;
  /** Respond to writes as usual, but keep nothing, as 0.17 does for demos. */
  _isFake?: boolean;
  /** Host names that routes beginning with `/__` are served for, beside localhost and IP addresses. */
  allowedHosts?: readonly string[];
}

/** The database behind a router, as lowdb 1 has it: a lodash chain over the whole state. */
export interface RouterDatabase {
  /** The state itself: what is changed in it is served. */
  getState(): Record<string, unknown>;
  setState(state: object): this;
  /** Forgets what was not written. */
  read(): this;
  /** Saves all changes as one; returns its argument. */
  write<T = unknown>(result?: T): T;
  /** lodash, as the chains use it. */
  readonly _: LodashFunctions;
  /** The value at a path such as `posts[0].title`. */
  get(path: string | readonly (string | number)[], fallback?: unknown): Chain;
  set(path: string | readonly (string | number)[], value: unknown): Chain;
  unset(path: string | readonly (string | number)[]): Chain;
  has(path: string | readonly (string | number)[]): Chain;
  update(path: string | readonly (string | number)[], updater: ChainParameter): Chain;
  defaults(...sources: readonly object[]): Chain;
  value(): Record<string, unknown>;
  [method: string]: unknown;
}

/** A lodash chain. What it does is done by `value()`; `write()` saves it, too. */
export interface Chain extends Record<ChainMethod, (...parameters: ChainParameter[]) => Chain> {
  // biome-ignore lint/suspicious/noExplicitAny: the result of any of lodash's functions
  value(): any;
  // biome-ignore lint/suspicious/noExplicitAny: the result of any of lodash's functions
  write(): any;
  [method: string]: (...parameters: ChainParameter[]) => Chain;
}

/** The methods that projects use most; the others are there, too. */
type ChainMethod =
  | "assign"
  | "cloneDeep"
  | "countBy"
  | "createId"
  | "defaults"
  | "each"
  | "every"
  | "filter"
  | "find"
  | "findIndex"
  | "findLast"
  | "first"
  | "forEach"
  | "get"
  | "getById"
  | "groupBy"
  | "has"
  | "head"
  | "includes"
  | "insert"
  | "keyBy"
  | "keys"
  | "last"
  | "map"
  | "maxBy"
  | "merge"
  | "minBy"
  | "omit"
  | "orderBy"
  | "pick"
  | "pull"
  | "push"
  | "reduce"
  | "remove"
  | "removeById"
  | "removeWhere"
  | "replaceById"
  | "reverse"
  | "set"
  | "size"
  | "slice"
  | "some"
  | "sortBy"
  | "splice"
  | "sumBy"
  | "take"
  | "tap"
  | "thru"
  | "uniq"
  | "uniqBy"
  | "unset"
  | "unshift"
  | "update"
  | "updateById"
  | "updateWhere"
  | "upsert"
  | "values";

/** A value or a function; the parameters of a function can be anything. */
export type ChainParameter =
  // biome-ignore lint/suspicious/noExplicitAny: what lodash calls it with depends on the method
  ((...parameters: any[]) => unknown) | object | string | number | boolean | null | undefined;

export interface LodashFunctions {
  mixin(functions: object): unknown;
  /** The name of the primary key field. */
  id?: string;
  [name: string]: unknown;
}

export interface JsonServerRouter extends Router {
  db: RouterDatabase;
  /** Sends `res.locals.data`; put your own in its place to wrap responses. */
  render(req: Request, res: Response): void;
  /** Settles when the data is loaded. JSON files and objects are there at once; requests wait by themselves. */
  ready: Promise<void>;
  /** Saves and lets go of the data file. */
  close(): Promise<void>;
}
