import pluralize from "pluralize";
import { didYouMean } from "../../base/nearest.ts";
import { relationName } from "../../schema/named-relations.ts";
import type { DataService } from "../contract.ts";
import { heldKey, heldListKey } from "./foreign-keys.ts";
import { linkFor, type RelatedCollection } from "./plan-relations.ts";
import {
  collectionOf,
  isCollection,
  type RelationParameter,
  type RelationRequest,
  readWishes,
} from "./relation-wishes.ts";

export interface RelationNames extends RelationRequest {
  readonly collection: string;
}

/** Finds the first name at any level that is no relation of its collection, and suggests the nearest one that is. */
export async function unknownRelation(service: DataService, names: RelationNames): Promise<string | undefined> {
  await service.store.refresh();
  return unknownAt(service, { collection: names.collection, wishes: readWishes(service, names, true) }, "");
}

async function unknownAt(
  service: DataService,
  { collection, wishes }: RelatedCollection,
  above: string,
): Promise<string | undefined> {
  const isFirst = above === "";
  for (const { parameter, name, below } of wishes) {
    const link = await linkFor(service, { collection, parameter, name, isFirst });
    if (!link && mayBecomeParent(service, collection, name)) continue;
    const known = link && !isFirst ? [] : await relationNames(service, collection, isFirst ? parameter : undefined);
    // `_expand=companies` where records have the key of one company: it leads to no field that they have.
    const otherNumber =
      link && !known.includes(name)
        ? [pluralize.singular(name), pluralize(name)].find((other) => known.includes(other))
        : undefined;
    if (!link || otherNumber !== undefined) {
      const field = !link && parameter === "_expand" ? await heldKey(service, collection, name) : undefined;
      const hint = field === undefined ? didYouMean(otherNumber ?? name, known) : undeclared(field);
      return `${parameter}=${above}${name}: ${collection} has no relation "${name}".${hint} ${listOf(known)}`;
    }
    const deeper = await unknownAt(service, { collection: link.collection, wishes: below }, `${above}${name}.`);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/** Records have the field, but no collection has the name that would go with it: `authorId` of `users`. */
function undeclared(field: string): string {
  return ` Name the collection that ${field} refers to under "relations" in the config file.`;
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? "There are none." : `Relations: ${names.join(", ")}.`;
}

/** Whether only the absence of records keeps a name from being that of a parent. */
function mayBecomeParent({ store }: DataService, collection: string, parent: string): boolean {
  const isEmpty = store.members().some(({ name, count }) => name === collection && count === 0);
  return isEmpty && isCollection(store, collectionOf(parent));
}

/** The names that lead from a collection to others; without a parameter, those behind a dot. */
async function relationNames(
  service: DataService,
  collection: string,
  parameter?: RelationParameter,
): Promise<string[]> {
  const { store } = service;
  const { relations, foreignKeySuffix } = service.settings;
  const declared = Object.hasOwn(relations, collection) ? Object.keys(relations[collection] ?? {}) : [];
  const names = declared.map((field) => relationName(field, foreignKeySuffix));
  const parent = pluralize.singular(collection);
  for (const { name, kind } of store.members()) {
    if (kind !== "collection") continue;
    const singular = pluralize.singular(name);
    const isChild =
      (await heldKey(service, name, parent)) !== undefined || (await heldListKey(service, name, parent)) !== undefined;
    const isParent = (await heldKey(service, collection, singular)) !== undefined;
    const isListed = (await heldListKey(service, collection, singular)) !== undefined;
    if ((isChild && parameter !== "_expand") || (isListed && parameter !== "_embed")) names.push(name);
    if (isParent && (parameter !== "_embed" || !isCollection(store, singular))) names.push(singular);
  }
  return [...new Set(names)];
}
