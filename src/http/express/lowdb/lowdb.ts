import { createRequire } from "node:module";
import type { LiveView } from "./live-view.ts";
import { mixins } from "./mixins.ts";

const require = createRequire(import.meta.url);

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
  __id(): string;
  createId: CreateId;
  getById: GetById;
}

type CreateId = (rows: unknown, record: object) => unknown;
type GetById = (rows: unknown, id: unknown) => unknown;

/** The parts of lodash-id that scripts may set or replace, and that routes then use. */
export interface MixedIn {
  /** The name of the primary key field. */
  readonly idKey: string;
  /** Set where it is another one than ours. */
  readonly createId: CreateId | undefined;
  readonly getById: GetById | undefined;
}

const ownFunctions = new WeakMap<object, Pick<Lodash, "createId" | "getById">>();

/** The parts of lodash-id as scripts have left them: `db._.id = "_id"`, `db._.mixin({ createId })`. */
export function mixedIn({ _ }: Pick<Lowdb, "_">): MixedIn {
  const originals = ownFunctions.get(_);
  return {
    idKey: _.__id(),
    createId: _.createId === originals?.createId ? undefined : (rows, record) => _.createId(rows, record),
    getById: _.getById === originals?.getById ? undefined : (rows, id) => _.getById(rows, id),
  };
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

/** Creates a database like that of json-server 0.17 for custom servers and middlewares. Loads lodash. */
export function createLowdb({ view, idKey, isAsync, reload }: LowdbOptions): Lowdb {
  const _ = (require("lodash") as Lodash).runInContext();
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
  const functions = {
    ...(require("lodash-id") as Record<string, LodashFunction>),
    ...(mixins as object as Record<string, LodashFunction>),
  };
  _.mixin(Object.fromEntries(Object.entries(functions).map(([name, one]) => [name, keyed(_, view, one)])));
  if (idKey !== "id") _.id = idKey;
  const { createId, getById } = _;
  ownFunctions.set(_, { createId, getById });
}

/** A function of lodash-id, which knows one primary key, for collections that have one of their own. */
function keyed(_: Lodash, view: LiveView, call: LodashFunction): LodashFunction {
  return function (this: unknown, ...values) {
    const idKey = view.ownIdKey(values[0]);
    if (idKey === undefined) return call.apply(this, values);
    const { id } = _;
    _.id = idKey;
    try {
      return call.apply(this, values);
    } finally {
      _.id = id;
    }
  };
}
