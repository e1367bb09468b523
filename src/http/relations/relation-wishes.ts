import pluralize from "pluralize";
import { StandinError } from "../../base/errors.ts";
import { relationName } from "../../schema/named-relations.ts";
import type { Reads } from "../../store/store.ts";
import type { DataService } from "../contract.ts";

const MAX_LEVELS = 4;

export interface RelationRequest {
  readonly embed: readonly string[];
  readonly expand: readonly string[];
}

type WishContext = Pick<DataService, "store" | "settings">;

export type RelationParameter = "_embed" | "_expand";

/** A relation that a request names, and those to add to the records it leads to. */
export interface RelationWish {
  readonly parameter: RelationParameter;
  readonly name: string;
  readonly below: readonly RelationWish[];
}

/** The collection an expanded name lives in: `company` -> `companies`. */
export function collectionOf(parent: string): string {
  return pluralize(parent);
}

/**
 * Reads `_embed` and `_expand` as trees: `orders.items` and `orders.notes` are two relations below one. A path with a name
 * that cannot be a relation is one unknown name, as in 0.17, unless `isSplit` is set.
 */
export function readWishes(
  service: WishContext,
  { embed, expand }: RelationRequest,
  isSplit = false,
): readonly RelationWish[] {
  const read = (parameter: RelationParameter, paths: readonly string[]): RelationWish[] =>
    treesOf(
      parameter,
      paths.map((path) => namesIn(service, parameter, path) ?? (isSplit ? path.split(".") : [path])),
    );
  return [...read("_embed", embed), ...read("_expand", expand)];
}

/** The names in a path; undefined if one of them cannot be a relation. */
function namesIn(service: WishContext, parameter: RelationParameter, path: string): readonly string[] | undefined {
  const { store, settings } = service;
  if (!path.includes(".") || isCollection(store, parameter === "_embed" ? path : collectionOf(path))) return [path];
  const names = path.split(".");
  if (names.length > MAX_LEVELS) {
    const message = `${parameter}=${path} has ${names.length} levels; ${MAX_LEVELS} are allowed.`;
    throw new StandinError("QUERY_INVALID", message);
  }
  const isPossible = names.every(
    (name) =>
      isCollection(store, name) || isCollection(store, collectionOf(name)) || targetsOf(settings, name).length > 0,
  );
  return isPossible ? names : undefined;
}

function treesOf(parameter: RelationParameter, paths: readonly (readonly string[])[]): RelationWish[] {
  const groups = new Map<string, (readonly string[])[]>();
  for (const [name, ...rest] of paths) {
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(rest);
    else groups.set(name, [rest]);
  }
  return [...groups].map(([name, below]) => ({ parameter, name, below: treesOf(parameter, below) }));
}

/** The collections that a response with these relations may draw on beside its own. */
export function collectionsOf(service: WishContext, wishes: readonly RelationWish[], isFirstLevel = true): string[] {
  const names = wishes.flatMap(({ parameter, name, below }) => {
    const isChild = isFirstLevel && parameter === "_embed" && isCollection(service.store, name);
    const own = [...(isChild ? [name] : [name, collectionOf(name)]), ...targetsOf(service.settings, name)];
    return [...own, ...collectionsOf(service, below, false)];
  });
  return [...new Set(names)];
}

/** The collections that a declared relation of this name leads to, from any collection. */
function targetsOf({ relations, foreignKeySuffix }: WishContext["settings"], name: string): string[] {
  return Object.values(relations).flatMap((fields) =>
    Object.entries(fields).flatMap(([field, { to }]) => (relationName(field, foreignKeySuffix) === name ? [to] : [])),
  );
}

export function isCollection(store: Reads, name: string): boolean {
  return store.kindOf(name) === "collection";
}
