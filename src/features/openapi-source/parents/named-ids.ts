import type { PathParts, Service } from "../../../http/contract.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { equality } from "../../../query/operators/eq.ts";
import { parsePath } from "../../../query/path.ts";
import type { Filter } from "../../../query/query.ts";
import { idOf } from "../../../store/ids.ts";
import { slice } from "../../../store/slice.ts";
import type { Store } from "../../../store/store.ts";
import { ofParents } from "./parents.ts";

/** The wildcards of a path with ids in place of other names: `7` for the user `ada` of `/users/{id_or_username}`. */
export type WithIds = (service: Service, parts: PathParts) => Promise<PathParts>;

/** Prepares that for an operation; undefined where its path has nothing but ids. */
export function createWithIds(
  collections: readonly BoundCollection[],
  own: BoundCollection,
  bound: BoundOperation,
): WithIds | undefined {
  const { idParameter, parents } = bound;
  const named = [
    ...(idParameter === undefined ? [] : [{ parameter: idParameter, of: own }]),
    ...parents.flatMap(({ parameter, collection }) => {
      const of = collections.find(({ name }) => name === collection);
      return of ? [{ parameter, of }] : [];
    }),
  ].filter(({ of }) => of.otherNames.length > 0 && of.ownKey === undefined);
  if (named.length === 0) return undefined;
  return async ({ store }, parts) => {
    const found = { ...parts };
    for (const { parameter, of } of named) {
      const text = parts[parameter];
      const given = of === own ? ofParents(bound, parts) : undefined;
      const id =
        text === undefined ? undefined : await idNamed(store, of, { text, among: given ? [given.filter] : [] });
      if (id !== undefined) found[parameter] = id;
    }
    return found;
  };
}

/** The id of the record that has a name, unless one has it as its id. */
async function idNamed(
  store: Store,
  { name, otherNames }: BoundCollection,
  { text, among }: { readonly text: string; readonly among: readonly Filter[] },
): Promise<string | undefined> {
  if (await store.get(name, text)) return undefined;
  for (const field of otherNames) {
    const where = [{ ...equality(parsePath(field), [text]), isFromPath: true }, ...among];
    const { records } = await store.find(name, { ...slice(0, 1), where });
    const id = records[0] && idOf(records[0].value, store.idKeyOf(name));
    if (id !== undefined) return String(id);
  }
  return undefined;
}
