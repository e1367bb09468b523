import pluralize from "pluralize";
import { andThen, type Eventually } from "../../base/eventually.ts";
import { SUFFIXES } from "../../schema/named-relations.ts";
import type { Key } from "../../store/store.ts";
import type { DataService } from "../contract.ts";

type Keys = Pick<DataService, "store" | "settings">;

/**
 * The field by which records of `child` refer to one of a collection with this singular: `company` -> `companyId`, or
 * `company_id` where that is what the records hold.
 */
export function foreignKey({ store, settings }: Keys, child: string, singular: string): Eventually<string> {
  const own = declaredField(settings, child, [singular, false]);
  if (own !== undefined) return own;
  if (settings.foreignKeySuffix !== undefined) return `${singular}${settings.foreignKeySuffix}`;
  const names = fieldsFor({ store, settings }, child, [singular]);
  return andThen(store.heldField(child, names), (held) => held ?? names[0]!);
}

/** As `foreignKey`, but undefined where no record has such a field. */
export function heldKey({ store, settings }: Keys, child: string, singular: string): Eventually<string | undefined> {
  const own = declaredField(settings, child, [singular, false]);
  return own ?? store.heldField(child, fieldsFor({ store, settings }, child, [singular]), true);
}

/** The field with a list of ids by which records refer to several of a collection: `tag` -> `tagIds`; undefined if none. */
export function heldListKey({ store, settings }: Keys, child: string, singular: string) {
  const own = declaredField(settings, child, [singular, true]);
  return own ?? store.heldField(child, fieldsFor({ store, settings }, child, [singular, "s"]), true);
}

/** Every field by which records of `child` refer to those of a collection with this singular; at least the usual one. */
export async function foreignKeys(keys: Keys, child: string, singular: string): Promise<readonly Key[]> {
  const declared = declaredKeys(keys.settings, child, singular);
  if (declared.length > 0) return declared;
  const list = await keys.store.heldField(child, fieldsFor(keys, child, [singular, "s"]));
  if (list === undefined) return [{ field: await foreignKey(keys, child, singular), isList: false }];
  const one = await keys.store.heldField(child, fieldsFor(keys, child, [singular]));
  return [...(one === undefined ? [] : [{ field: one, isList: false }]), { field: list, isList: true }];
}

/** The fields of `child` that are declared to refer to a collection with this singular. */
function declaredKeys({ relations }: Keys["settings"], child: string, singular: string): Key[] {
  if (!Object.hasOwn(relations, child)) return NO_KEYS;
  return Object.entries(relations[child] ?? {}).flatMap(([field, { to, isList }]) =>
    pluralize.singular(to) === singular ? [{ field, isList }] : [],
  );
}

const NO_KEYS: Key[] = [];

function declaredField(settings: Keys["settings"], child: string, [singular, isList]: [string, boolean]) {
  return declaredKeys(settings, child, singular).find((key) => key.isList === isList)?.field;
}

/** The key of a record about to be written: where `child` has no such field yet, its other foreign keys decide. */
export async function newForeignKey(keys: Keys, child: string, singular: string): Promise<Key> {
  const { store, settings } = keys;
  await store.refresh();
  const one = await heldKey(keys, child, singular);
  if (one !== undefined) return { field: one, isList: false };
  const list = await heldListKey(keys, child, singular);
  if (list !== undefined) return { field: list, isList: true };
  return { field: `${singular}${settings.foreignKeySuffix ?? (await usualSuffix(keys, child))}`, isList: false };
}

async function usualSuffix({ store }: Keys, child: string): Promise<string> {
  const parents = store
    .members()
    .flatMap(({ name, kind }) => (kind === "collection" ? [pluralize.singular(name)] : []));
  for (const suffix of SUFFIXES) {
    const others = parents.flatMap((parent) => [`${parent}${suffix}`, `${parent}${suffix}s`]);
    if ((await store.heldField(child, others, true)) !== undefined) return suffix;
  }
  return SUFFIXES[0];
}

/**
 * The names that such a field may have, between a beginning and an ending: never that of the primary key, which refers to
 * nothing.
 */
function fieldsFor({ store, settings }: Keys, child: string, [singular, ending = ""]: [string, string?]): string[] {
  const { foreignKeySuffix } = settings;
  const suffixes = foreignKeySuffix === undefined ? SUFFIXES : [foreignKeySuffix];
  const idKey = store.idKeyOf(child);
  return suffixes.map((suffix) => `${singular}${suffix}${ending}`).filter((field) => field !== idKey);
}
