import pluralize from "pluralize";
import type { Eventually } from "../../store/store.ts";
import type { Service } from "../service.ts";
import { SUFFIXES } from "./foreign-key-suffix.ts";

type Keys = Pick<Service, "store" | "settings">;

/**
 * The field by which records of `child` refer to one of a collection with this singular: `company` -> `companyId`, or
 * `company_id` where that is what the records hold.
 */
export function foreignKey({ store, settings }: Keys, child: string, singular: string): Eventually<string> {
  if (settings.foreignKeySuffix !== undefined) return `${singular}${settings.foreignKeySuffix}`;
  const names = SUFFIXES.map((suffix) => `${singular}${suffix}`);
  const held = store.heldField(child, names);
  return held instanceof Promise ? held.then((name) => name ?? names[0]!) : (held ?? names[0]!);
}

/** The same for a record about to be written: where `child` has no such field yet, its other foreign keys decide. */
export async function newForeignKey(keys: Keys, child: string, singular: string): Promise<string> {
  const { store, settings } = keys;
  if (settings.foreignKeySuffix !== undefined) return `${singular}${settings.foreignKeySuffix}`;
  await store.refresh();
  const held = await store.heldField(
    child,
    SUFFIXES.map((suffix) => `${singular}${suffix}`),
    true,
  );
  if (held !== undefined) return held;
  const parents = store
    .members()
    .flatMap(({ name, kind }) => (kind === "collection" ? [pluralize.singular(name)] : []));
  for (const suffix of SUFFIXES) {
    const others = parents.map((parent) => `${parent}${suffix}`);
    if ((await store.heldField(child, others, true)) !== undefined) return `${singular}${suffix}`;
  }
  return `${singular}${SUFFIXES[0]}`;
}
