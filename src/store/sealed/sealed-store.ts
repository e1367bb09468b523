import { StandinError } from "../../base/errors.ts";
import { andThen, type Eventually } from "../../base/eventually.ts";
import { EVERYTHING } from "../../query/parse-query.ts";
import type { StoreHistory } from "../history.ts";
import { MemoryStore } from "../memory/memory-store.ts";
import { State } from "../memory/state.ts";
import type { FindOptions, Relation, Store, StoreEvent } from "../store.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { Seal } from "./seal.ts";
import { sealedWrite } from "./sealed-write.ts";

type Groups = ReadonlyMap<string, StoredRecord[]>;

/**
 * A store in which nobody can read a sealed field. Queries on its collection run on a copy without the field, so that no
 * filter, search, sort or group can tell anything about it.
 */
export function sealedStore(store: Store, seal: Seal): Store {
  const { collection: sealed } = seal;
  const copy = createCopy(store, seal);
  /** Lets the copy respond, with the stamp of the store. */
  const fromCopy = <R extends { stamp?: string }>(
    { with: _, stampOf, ...options }: FindOptions,
    ask: (copy: Store, options: FindOptions) => Eventually<R>,
  ): Eventually<R> => {
    const stamp = stampOf ? store.stamp(stampOf) : undefined;
    return andThen(copy(), (one) =>
      andThen(ask(one, options), (found) =>
        stamp === undefined ? found : andThen(stamp, (known) => ({ ...found, stamp: known })),
      ),
    );
  };
  const own: Partial<Store> = {
    get: (name, id) => andThen(store.get(name, id), (record) => seal.record(record, name)),
    getWith: (name, id, options) =>
      andThen(store.getWith(name, id, options), (found) => {
        if (!found) return undefined;
        const record = seal.record(found.record, name);
        return found.related
          ? { ...found, record, related: related(found.related, options.relations) }
          : { ...found, record };
      }),
    find: (name, query, options = {}) =>
      name === sealed
        ? fromCopy(options, (one, rest) => one.find(name, query, rest))
        : andThen(store.find(name, query, options), (found) =>
            found.related && options.with ? { ...found, related: related(found.related, options.with) } : found,
          ),
    group: (name, query, options = {}) =>
      name === sealed
        ? fromCopy(options, (one, rest) => one.group(name, query, rest))
        : store.group(name, query, options),
    related: (name, key, values) => andThen(store.related(name, key, values), (found) => sealedGroups(found, name)),
    heldField: (name, fields, isCertain) =>
      name === sealed
        ? andThen(copy(), (one) => one.heldField(name, fields))
        : store.heldField(name, fields, isCertain),
    heldPaths: (name, paths, account) =>
      name === sealed ? andThen(copy(), (one) => one.heldPaths(name, paths)) : store.heldPaths(name, paths, account),
    heldAtHand: (name, path) => (name === sealed ? undefined : store.heldAtHand(name, path)),
    statistics: (name, where) =>
      name === sealed ? andThen(copy(), (one) => one.statistics(name, where)) : store.statistics(name, where),
    export: (limit, whereOf) =>
      andThen(store.export(limit, whereOf), (members) =>
        members.map((member) =>
          member.kind === "collection" && member.name === sealed
            ? { ...member, records: member.records.map((record) => seal.record(record)) }
            : member,
        ),
      ),
    async apply(write, options = {}) {
      const { receipt } = options;
      const respond = receipt && {
        ...receipt,
        respond: (change: Parameters<typeof receipt.respond>[0]) => receipt.respond(seal.change(change)),
      };
      const given = respond ? { ...options, receipt: respond } : options;
      try {
        return seal.change(await store.apply(sealedWrite(write, seal), given));
      } catch (thrown) {
        throw seal.error(thrown);
      }
    },
    async alter(edit, options) {
      if (edit.kind === "renamed" && edit.name === sealed) throw cannotRename(seal);
      await store.alter(edit, options);
    },
    subscribe: (listener) => store.subscribe((event) => listener(seal.event(event))),
  };
  const related = (found: readonly Groups[], relations: readonly Relation[]): Groups[] =>
    found.map((groups, position) => sealedGroups(groups, relations[position]?.collection ?? ""));
  const sealedGroups = (groups: Groups, name: string): Map<string, StoredRecord[]> =>
    new Map([...groups].map(([key, records]) => [key, records.map((record) => seal.record(record, name))]));
  const history = store.history && sealedHistory(store.history, seal);
  const seen = { of: store.view?.of ?? store, seen: (event: StoreEvent) => seal.event(event) };
  // Only a store of whole records rearranges data.
  const rearrange = undefined;
  const view = overlaid(store, { ...own, history, rearrange, view: seen });
  SEALED.set(view, { whole: store, seal });
  return view;
}

/** Under another name, the field would be one like any other. */
function cannotRename({ collection, field }: Seal): StandinError {
  return new StandinError(
    "ACCESS_DENIED",
    `"${collection}" cannot be renamed while the layer sign-in finds users there: their "${field}" would no longer be hidden.`,
  );
}

const SEALED = new WeakMap<Store, { readonly whole: Store; readonly seal: Seal }>();

/** The store behind a sealed one: for copies that nobody reads, such as snapshots. */
export function wholeOf(store: Store): Store {
  return SEALED.get(store)?.whole ?? store;
}

/** The seal of a store, for data that is kept beside it; undefined for most stores. */
export function sealOf(store: Store): Seal | undefined {
  return SEALED.get(store)?.seal;
}

function sealedHistory(history: StoreHistory<Store>, seal: Seal): StoreHistory<Store> {
  return overlaid(history, {
    find: (version) => andThen(history.find(version), (kept) => ({ ...kept, edits: seal.edits(kept.edits) })),
    at: (version) => andThen(history.at(version), (store) => sealedStore(store, seal)),
  });
}

/** The collection alone, without the field; made anew after a write to it. */
function createCopy(store: Store, seal: Seal): () => Eventually<Store> {
  const { collection } = seal;
  let known: { readonly stamp: string; readonly store: Store } | undefined;
  const make = (stamp: string): Eventually<Store> =>
    andThen(store.find(collection, EVERYTHING), ({ records }) => {
      const idKey = store.idKeyOf(collection);
      const sealed = records.map((record) => seal.record(record));
      const values = sealed.map(({ value }) => value);
      const members = [{ name: collection, kind: "collection" as const, version: 1, values, records: sealed }];
      const state = State.load({}, idKey).restore({ version: 1, epoch: store.epoch, idKeys: new Map(), members });
      known = { stamp, store: new MemoryStore(state) };
      return known.store;
    });
  return () => andThen(store.stamp([collection]), (stamp) => (known?.stamp === stamp ? known.store : make(stamp)));
}

/** The same object, except for some of its members. */
function overlaid<T extends object>(whole: T, own: Partial<T>): T {
  const bound = new Map<PropertyKey, unknown>(Object.entries(own));
  return new Proxy(whole, {
    get(_target, name) {
      if (bound.has(name)) return bound.get(name);
      const value: unknown = Reflect.get(whole, name, whole);
      if (typeof value !== "function") return value;
      const method: unknown = value.bind(whole);
      bound.set(name, method);
      return method;
    },
  });
}
