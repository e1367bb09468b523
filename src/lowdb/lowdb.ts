import { createRequire } from "node:module";
import type { LiveView } from "./live-view.ts";
import { mixins } from "./mixins.ts";

const require = createRequire(import.meta.url);
/** An import map entry of package.json. */
const BUILT_LODASH = "#lodash";

/** lowdb 1: a lodash chain over the whole state, with `read`, `write`, `getState` and `setState`. */
export interface Lowdb {
  /** The copy of lodash behind the chains; `_.mixin` extends them. */
  readonly _: Lodash;
  getState(): unknown;
  setState(state: unknown): Lowdb;
  /** Saves, and returns its argument: at once, or as a promise where the data came from a file. */
  write(result?: unknown): unknown;
  /** Discards unwritten changes. */
  read(): unknown;
  /** The state itself, under lodash's name for it. */
  __wrapped__: unknown;
}

interface Lodash {
  (value: unknown): object;
  chain(value: unknown): Lowdb;
  mixin(functions: object): void;
  runInContext(): Lodash;
  readonly prototype: { value(): unknown; write?(): unknown };
  /** The name of the primary key field, for lodash-id. */
  id?: string | undefined;
}

type LodashFunction = (this: unknown, ...values: unknown[]) => unknown;

export interface LowdbOptions {
  readonly view: LiveView;
  readonly idKey: string;
  /** Whether `write` and `read` return promises, as lowdb does for files on json-server's command line. */
  readonly isAsync: boolean;
  /** Loads changes of the source; returns a promise if that takes time. */
  readonly reload?: (() => Promise<unknown> | undefined) | undefined;
}

/** Loads the bundle of both packages, or the packages themselves where standin runs from its sources. */
function loadLodash(): { lodash: Lodash; lodashId: Record<string, LodashFunction> } {
  try {
    return require(BUILT_LODASH);
  } catch {
    return { lodash: require("lodash"), lodashId: require("lodash-id") };
  }
}

/** Creates a database like that of json-server 0.17 for custom servers and middlewares. Loads lodash. */
export function createLowdb({ view, idKey, isAsync, reload }: LowdbOptions): Lowdb {
  const _ = loadLodash().lodash.runInContext();
  const db = _.chain({});
  const { value } = _.prototype;
  _.prototype.write = function write(this: unknown) {
    return db.write(value.call(this as never));
  };
  showView(db, view);
  addFunctions(_, view, idKey);
  return Object.assign(db, {
    _,
    getState: () => view.state,
    setState: (state: unknown) => {
      view.plant(state);
      return db;
    },
    write: (result?: unknown) => {
      const committed = view.commit();
      if (isAsync) return Promise.resolve(committed).then(() => result);
      // The store reports a failed write on the terminal, and undoes it.
      committed?.catch(() => undefined);
      return result;
    },
    read: () => {
      const reloaded = reload?.();
      const revert = (): Lowdb => {
        view.revert();
        return db;
      };
      if (isAsync) return Promise.resolve(reloaded).then(revert);
      return revert();
    },
  });
}

/** A lowdb 1 that the user created. */
export type LowdbInstance = Pick<Lowdb, "_" | "getState" | "write" | "__wrapped__">;

/** Connects a lowdb to a view, and adds json-server's mixins. Its adapter is not touched. Loads lodash. */
export function joinLowdb(instance: LowdbInstance, view: LiveView, idKey: string): void {
  showView(instance, view);
  addFunctions(instance._, view, idKey);
}

/** lowdb accesses its state only by this property. */
function showView(db: object, view: LiveView): void {
  Object.defineProperty(db, "__wrapped__", {
    enumerable: true,
    configurable: true,
    get: () => view.state,
    set: (state: unknown) => view.plant(state),
  });
}

function addFunctions(_: Lodash, view: LiveView, idKey: string): void {
  const functions = { ...loadLodash().lodashId, ...(mixins as object as Record<string, LodashFunction>) };
  _.mixin(Object.fromEntries(Object.entries(functions).map(([name, one]) => [name, keyed(_, view, one)])));
  if (idKey !== "id") _.id = idKey;
}

/** A function of lodash-id, which knows one primary key, for collections that have one of their own. */
function keyed(_: Lodash, view: LiveView, call: LodashFunction): LodashFunction {
  return function (this: unknown, ...values) {
    const own = view.ownIdKey(values[0]);
    if (own === undefined) return call.apply(this, values);
    const { id } = _;
    _.id = own;
    try {
      return call.apply(this, values);
    } finally {
      _.id = id;
    }
  };
}
