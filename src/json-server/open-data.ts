import { extname } from "node:path";
import { StartError } from "../base/errors.ts";
import type { Json, JsonObject } from "../base/json/json.ts";
import type { Reporter } from "../base/reporter.ts";
import { LiveView } from "../http/express/lowdb/live-view.ts";
import {
  createLowdb,
  joinLowdb,
  type Lowdb,
  type LowdbInstance,
  type MixedIn,
  mixedIn,
} from "../http/express/lowdb/lowdb.ts";
import { asJson } from "../http/express/lowdb/same-json.ts";
import { folderOfFiles, singleFile } from "../store/file/layout.ts";
import { createIfMissing, openShared } from "../store/file/shared-file.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { databaseProblem, State } from "../store/memory/state.ts";
import { openLoaded } from "../store/open-store.ts";
import { sourceKind } from "../store/sources/source-kind.ts";

/** The data behind a router, and the database that scripts see. */
export interface Data {
  readonly store: MemoryStore;
  /** Made on first use. */
  readonly db: () => Lowdb;
  /** Takes over what scripts have changed in the data without writing it; undefined where that is nothing. */
  readonly adopt: () => Promise<unknown> | undefined;
  /** The functions that scripts have put in the place of our own, and the primary key they have named; adopts the latter. */
  readonly mixedIn: () => MixedIn | undefined;
  readonly close: () => Promise<void>;
}

/** An object, a lowdb instance or a JSON file is there at once, as in 0.17; anything else takes a while. */
export function openData(source: unknown, idKey: string, reporter: Reporter): Data | Promise<Data> {
  if (typeof source !== "string") return isLowdb(source) ? openInstance(source, idKey) : openObject(source, idKey);
  const kind = sourceKind(source);
  if (kind === "postgres") {
    throw new StartError(
      "A router serves an object or a data file; a database is served by the command: standin postgres://...",
    );
  }
  const ids = new IdWarnings(reporter.warn);
  if (kind === "url" || kind === "module") return openLater(source, idKey, ids);
  if (kind === undefined && /^[a-z][a-z\d+.-]+:\/\//i.test(source)) {
    throw new StartError(`${source} cannot be served: a router takes an object or the path of a JSON file.`);
  }
  if (kind !== "folder" && extname(source) === ".json") createIfMissing(source);
  const options = {
    idKey,
    durability: "process",
    followsOutside: false,
    savesAtOnce: true,
    warn: reporter.warn,
    warnOfIds: ids.hold,
  } as const;
  const { store, files, release } = openShared(kind === "folder" ? folderOfFiles(source) : singleFile(source), options);
  return dataOf(store, { ids, close: release, reload: () => void files.reloadNow() });
}

async function openLater(source: string, idKey: string, ids: IdWarnings): Promise<Data> {
  const options = { idKey, durability: "process", followsOutside: false, memory: false, warn: ids.hold } as const;
  return dataOf(await openLoaded(source, options), { ids });
}

/** The object itself stays the state, as in 0.17: what was given can be read and changed outside, too. */
function openObject(source: unknown, idKey: string): Data {
  const store = loadObject(source, idKey);
  return dataOf(store, { given: isFrozen(source as object) ? undefined : (source as object) });
}

function loadObject(source: unknown, idKey: string): MemoryStore {
  const data = asJson(source) ?? null;
  const problem = databaseProblem(data as Json);
  if (problem) throw new StartError(problem);
  return new MemoryStore(State.load(data as JsonObject, idKey));
}

/** Two routers over one instance serve the same data. */
const instances = new WeakMap<LowdbInstance, Data>();

/**
 * A given lowdb instance is the database itself, as in 0.17: its state is served, and changes by requests are written by
 * its adapter.
 */
function openInstance(instance: LowdbInstance, idKey: string): Data {
  const known = instances.get(instance);
  if (known?.store.defaultIdKey === idKey) return known;
  const state = instance.getState() as object;
  const store = loadObject(state, idKey);
  const view = new LiveView(store, isFrozen(state) ? undefined : state);
  joinLowdb(instance, view, idKey);
  let isAdopting = false;
  // Behind the view, which the state follows the store by.
  store.subscribe(() => {
    // Scripts write their changes themselves.
    if (isAdopting) return;
    Promise.resolve(instance.write()).catch((thrown: unknown) => console.error("standin:", thrown));
  });
  const adopt = (): Promise<unknown> | undefined => {
    isAdopting = true;
    try {
      return view.adopt();
    } finally {
      isAdopting = false;
    }
  };
  const data: Data = {
    store,
    db: () => instance as Lowdb,
    adopt,
    mixedIn: () => readMixedIn(store, instance as Lowdb),
    close: () => store.close(),
  };
  instances.set(instance, data);
  return data;
}

function readMixedIn(store: MemoryStore, db: Lowdb, ids?: IdWarnings): MixedIn {
  const found = mixedIn(db);
  if (found.idKey === store.defaultIdKey) return found;
  ids?.forget();
  store.rekey(found.idKey, ids?.hold);
  return found;
}

function isLowdb(source: unknown): source is LowdbInstance {
  return typeof source === "object" && source !== null && Object.hasOwn(source, "__wrapped__") && "__chain__" in source;
}

function isFrozen(source: object): boolean {
  return [source, ...Object.values(source)].some((value) => typeof value === "object" && Object.isFrozen(value));
}

interface DataOptions {
  readonly ids?: IdWarnings;
  readonly given?: object | undefined;
  readonly close?: () => Promise<void>;
  readonly reload?: () => undefined;
}

function dataOf(store: MemoryStore, { ids, given, close = () => store.close(), reload }: DataOptions = {}): Data {
  let view = given && new LiveView(store, given);
  let db: Lowdb | undefined;
  return {
    store,
    db: () => {
      view ??= new LiveView(store);
      db ??= createLowdb({ view, idKey: store.defaultIdKey, isAsync: false, reload });
      return db;
    },
    adopt: () => view?.adopt(),
    mixedIn: () => {
      const found = db && readMixedIn(store, db, ids);
      ids?.tell();
      return found;
    },
    close: async () => {
      view?.stop();
      await close();
    },
  };
}

/** Holds the warnings about ids back until the first request: until then, a script may name another primary key. */
class IdWarnings {
  readonly #warn: (text: string) => void;
  #held: string[] = [];

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  readonly hold = (text: string): void => void this.#held.push(text);

  /** Call it when another primary key has made those untrue that were held so far. */
  forget(): void {
    this.#held = [];
  }

  /** Hot path: called by every request. */
  tell(): void {
    if (this.#held.length === 0) return;
    for (const text of this.#held.splice(0)) this.#warn(text);
  }
}
