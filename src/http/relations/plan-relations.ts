import pluralize from "pluralize";
import { StandinError } from "../../base/errors.ts";
import type { Eventually } from "../../base/eventually.ts";
import { relationName } from "../../schema/named-relations.ts";
import type { Key, Reads, Relation } from "../../store/store.ts";
import type { DataService } from "../contract.ts";
import { foreignKey, foreignKeys, heldKey, heldListKey } from "./foreign-keys.ts";
import { collectionOf, isCollection, type RelationParameter, type RelationWish } from "./relation-wishes.ts";

/** The most relations of one request: each may be a query of its own. */
const MAX_RELATIONS = 100;

/** How records lead to related ones: the text of `from` is that of one of the `to` in the other collection. */
export interface Link {
  readonly collection: string;
  readonly from: Key;
  readonly to: readonly Key[];
  /** One record, or nothing where there is none; otherwise a list. */
  readonly isOne: boolean;
}

/** A relation to add to records. Plain data, so that two plans can be compared. */
export interface PlannedRelation {
  readonly parameter: RelationParameter;
  readonly name: string;
  /** Undefined if there is no such relation: `_embed` adds an empty list then, as in 0.17, `_expand` nothing. */
  readonly link: Link | undefined;
  readonly below: readonly PlannedRelation[];
}

export interface RelatedCollection {
  readonly collection: string;
  readonly wishes: readonly RelationWish[];
}

/** Decides which records each name leads to. */
export async function planRelations(
  service: DataService,
  request: RelatedCollection,
): Promise<readonly PlannedRelation[]> {
  const { store } = service;
  const plan = await planLevel(service, request, true);
  if (plan.every((relation) => isSimple(relation, store))) return plan;
  refuseTooMany(plan);
  // Another process may have written the first record with a key. Only the query for the records would notice, where it
  // includes the relation.
  const refreshed = store.refresh();
  return refreshed instanceof Promise ? refreshed.then(() => planLevel(service, request, true)) : plan;
}

/** Whether the same plan would be made now: another process may have written the first record that tells a key. */
export async function isCurrent(
  plan: readonly PlannedRelation[],
  service: DataService,
  request: RelatedCollection,
): Promise<boolean> {
  return JSON.stringify(plan) === JSON.stringify(await planLevel(service, request, true));
}

/**
 * The first relation of each path as a question to the store, where it is a simple one. None where one relation could
 * change the start of another: then they must be read one after the other.
 */
export function simpleRelations(plan: readonly PlannedRelation[]): readonly Relation[] {
  const added = new Set(plan.map(({ name }) => name));
  if (plan.some(({ link }) => link && added.has(link.from.field))) return [];
  return plan.flatMap(({ link }) => (link && directRelation(link)) ?? []);
}

/** The relation of a link by one key on each side; undefined where lists or several keys lead to the records. */
export function directRelation({ collection, from, to }: Link): Relation | undefined {
  const [key, ...others] = to;
  if (!key || key.isList || from.isList || others.length > 0) return undefined;
  return { collection, field: key.field, of: from.field };
}

/** Whether the query for the records can include the relation, or there is none in any case. */
function isSimple({ name, link, below }: PlannedRelation, store: Reads): boolean {
  return link ? below.length === 0 && directRelation(link) !== undefined : !isCollection(store, collectionOf(name));
}

function refuseTooMany(plan: readonly PlannedRelation[]): void {
  const count = (relations: readonly PlannedRelation[]): number =>
    relations.reduce((sum, { link, below }) => sum + (link ? 1 : 0) + count(below), 0);
  const total = count(plan);
  if (total <= MAX_RELATIONS) return;
  const message = `_embed and _expand name ${total} relations; ${MAX_RELATIONS} are allowed in one request.`;
  throw new StandinError("QUERY_INVALID", message);
}

async function planLevel(
  service: DataService,
  { collection, wishes }: RelatedCollection,
  isFirst: boolean,
): Promise<PlannedRelation[]> {
  return Promise.all(
    wishes.map(async (wish) => {
      const { parameter, name } = wish;
      const link = await linkFor(service, { collection, parameter, name, isFirst });
      const below =
        link && wish.below.length > 0
          ? await planLevel(service, { collection: link.collection, wishes: wish.below }, false)
          : [];
      return { parameter, name, link, below };
    }),
  );
}

export interface FoundRelation {
  readonly collection: string;
  readonly parameter: RelationParameter;
  readonly name: string;
  /** Whether it is the first name of its path. */
  readonly isFirst: boolean;
}

/** The link that a name means to the records of a collection; undefined if none. */
export function linkFor(service: DataService, { collection, parameter, name, isFirst }: FoundRelation) {
  const declared = declaredParent(service, collection, name);
  if (declared) return declared;
  return (isFirst ? FIRST : FURTHER)[parameter](service, collection, name);
}

/** The parent that a declared field leads to, by the name of the field: `parentId` by `parent`. */
function declaredParent(service: DataService, collection: string, name: string): Link | undefined {
  const { relations, foreignKeySuffix } = service.settings;
  const fields = Object.hasOwn(relations, collection) ? Object.entries(relations[collection] ?? {}) : [];
  const [field, target] = fields.find(([one]) => relationName(one, foreignKeySuffix) === name) ?? [];
  if (field === undefined || !target || !isCollection(service.store, target.to)) return undefined;
  const { to, isList } = target;
  return { collection: to, from: { field, isList }, to: [idOf(service, to)], isOne: !isList };
}

type FindLink = (service: DataService, collection: string, name: string) => Eventually<Link | undefined>;

/** The first name of a path means what it means in 0.17, if anything. */
const FIRST: Readonly<Record<RelationParameter, FindLink>> = {
  _embed: (service, collection, name) =>
    isCollection(service.store, name) ? children(service, collection, name) : heldParent(service, collection, name),
  _expand: async (service, collection, name) => {
    const target = collectionOf(name);
    // The name comes from the request: only one that is a parent is looked for in the records.
    if (!isCollection(service.store, target)) return undefined;
    if (target !== name || (await heldKey(service, collection, name)) !== undefined)
      return parent(service, target, await foreignKey(service, collection, name));
    return (
      (await heldList(service, collection, name)) ??
      parent(service, target, await foreignKey(service, collection, name))
    );
  },
};

/** Each further name leads wherever the records have keys. */
const FURTHER: Readonly<Record<RelationParameter, FindLink>> = {
  _embed: async (service, collection, name) =>
    (await heldChildren(service, collection, name)) ??
    (await heldList(service, collection, name)) ??
    (await heldParent(service, collection, name)) ??
    (isCollection(service.store, name) ? children(service, collection, name) : undefined),
  _expand: async (service, collection, name) =>
    (await heldParent(service, collection, name)) ??
    (await heldList(service, collection, name)) ??
    heldChildren(service, collection, name),
};

async function children(service: DataService, collection: string, name: string): Promise<Link> {
  const to = await foreignKeys(service, name, pluralize.singular(collection));
  return { collection: name, from: idOf(service, collection), to, isOne: false };
}

async function heldChildren(service: DataService, collection: string, name: string): Promise<Link | undefined> {
  if (!isCollection(service.store, name)) return undefined;
  const singular = pluralize.singular(collection);
  const isHeld =
    (await heldKey(service, name, singular)) !== undefined ||
    (await heldListKey(service, name, singular)) !== undefined;
  return isHeld ? children(service, collection, name) : undefined;
}

function parent(service: DataService, collection: string, field: string): Link {
  return { collection, from: { field, isList: false }, to: [idOf(service, collection)], isOne: true };
}

async function heldParent(service: DataService, collection: string, name: string): Promise<Link | undefined> {
  const target = collectionOf(name);
  if (!isCollection(service.store, target)) return undefined;
  const field = await heldKey(service, collection, name);
  return field === undefined ? undefined : parent(service, target, field);
}

async function heldList(service: DataService, collection: string, name: string): Promise<Link | undefined> {
  if (!isCollection(service.store, name)) return undefined;
  const field = await heldListKey(service, collection, pluralize.singular(name));
  if (field === undefined) return undefined;
  return { collection: name, from: { field, isList: true }, to: [idOf(service, name)], isOne: false };
}

function idOf({ store }: DataService, collection: string): Key {
  return { field: store.idKeyOf(collection), isList: false };
}
