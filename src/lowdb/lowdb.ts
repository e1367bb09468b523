import { createRequire } from "node:module";
import type { LiveView } from "./live-view.ts";
import { mixins } from "./mixins.ts";

const require = createRequire(import.meta.url);
/** Named in package.json. */
const BUILT_LODASH = "#lodash";

/** lowdb 1: a lodash chain over the whole state, with `read`, `write`, `getState` and `setState`. */
export interface Lowdb {
  /** A copy of lodash that the chains are made of; `_.mixin` adds to them. */
  readonly _: Lodash;
  getState(): unknown;
  setState(state: unknown): Lowdb;
  /** Saves, and gives back what it is given: at once, or as a promise where the data came from a file. */
  write(result?: unknown): unknown;
  /** Forgets what was not written. */
  read(): unknown;
  /** The state itself, under lodash's own name for it. */
  __wrapped__: unknown;
}

interface Lodash {
  (value: unknown): object;
  chain(value: unknown): Lowdb;
  mixin(functions: object): void;
  runInContext(): Lodash;
  readonly prototype: { value(): unknown; write?(): unknown };
  /** The name of the primary key field, for lodash-id. */
  id?: string;
}

export interface LowdbOptions {
  readonly view: LiveView;
  readonly idKey: string;
  /** Whether `write` and `read` give promises, as lowdb does for files on json-server's command line. */
  readonly isAsync: boolean;
  /** Takes over what was changed at the source, and gives a promise where that takes time. */
  readonly reload?: (() => Promise<unknown> | undefined) | undefined;
}

/** Both in one file, as they are built; the packages themselves where standin runs from its sources. */
function loadLodash(): { lodash: Lodash; lodashId: object } {
  try {
    return require(BUILT_LODASH);
  } catch {
    return { lodash: require("lodash"), lodashId: require("lodash-id") };
  }
}

/** Makes a database as lowdb and json-server 0.17 give it to custom servers and middlewares. Loads lodash. */
export function createLowdb({ view, idKey, isAsync, reload }: LowdbOptions): Lowdb {
  const _ = loadLodash().lodash.runInContext();
  const db = _.chain({});
  const { value } = _.prototype;
  _.prototype.write = function write(this: unknown) {
    return db.write(value.call(this as never));
  };
  showView(db, view);
  addFunctions(_, idKey);
  return Object.assign(db, {
    _,
    getState: () => view.state,
    setState: (state: unknown) => {
      view.plant(state);
      return db;
    },
    write: (result?: unknown) => {
      const kept = view.commit();
      if (isAsync) return Promise.resolve(kept).then(() => result);
      // The store says on the terminal what it cannot keep, and takes it back.
      kept?.catch(() => undefined);
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

/** Somebody's own lowdb 1. */
export type LowdbInstance = Pick<Lowdb, "_" | "getState" | "write" | "__wrapped__">;

/** Makes a lowdb show a view, and adds what json-server adds to it. Its adapter stays its own. Loads lodash. */
export function joinLowdb(instance: LowdbInstance, view: LiveView, idKey: string): void {
  showView(instance, view);
  addFunctions(instance._, idKey);
}

/** Everything that lowdb does with its state goes by this property. */
function showView(db: object, view: LiveView): void {
  Object.defineProperty(db, "__wrapped__", {
    enumerable: true,
    configurable: true,
    get: () => view.state,
    set: (state: unknown) => view.plant(state),
  });
}

function addFunctions(_: Lodash, idKey: string): void {
  _.mixin(loadLodash().lodashId);
  _.mixin(mixins);
  if (idKey !== "id") _.id = idKey;
}
