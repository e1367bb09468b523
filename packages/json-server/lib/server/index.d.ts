import type { Application, Request, RequestHandler, Response, Router } from "express";
import type { LowdbSync } from "lowdb";

export interface JsonServerRouter<T> extends Router {
  /** The database as lowdb 1 has it. */
  db: LowdbSync<T>;
  /** Sends `res.locals.data`; put your own in its place to wrap responses. */
  render(req: Request, res: Response): void;
  /** Settles when the data are loaded. JSON files and objects are there at once. */
  ready: Promise<void>;
  /** Saves and lets go of the data file. */
  close(): Promise<void>;
}

/** An Express app whose JSON is indented. */
export function create(): Application;

/** The middlewares a custom server starts with. */
export function defaults(options?: MiddlewaresOptions): RequestHandler[];

/** Routes for every collection of an object (in memory), of a lowdb instance or of a data file (written back to it). */
export function router<T extends object>(
  source: LowdbSync<T> | T | string,
  options?: RouterOptions,
): JsonServerRouter<T>;

/** Rewrites addresses by rules, and shows the rules at `/__rules`. */
export function rewriter(rules: { [rule: string]: string }): Router;

/** Parses JSON and form bodies into `req.body`. */
export const bodyParser: [RequestHandler, RequestHandler];

export interface RouterOptions {
  /** Each collection's records decide when it is not given. */
  foreignKeySuffix?: string;
  /** The name of the primary key field. */
  id?: string;
  /** Respond to writes as usual, but keep nothing. */
  _isFake?: boolean;
}

export interface MiddlewaresOptions {
  /** A folder of static files; `./public` when it exists. */
  static?: string | undefined;
  logger?: boolean | undefined;
  bodyParser?: boolean | undefined;
  noGzip?: boolean | undefined;
  noCors?: boolean | undefined;
  readOnly?: boolean | undefined;
}
