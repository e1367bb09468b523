import { didYouMean } from "../../base/nearest.ts";
import type { ApiDocument, Operation } from "../read/api-document.ts";
import { bindOperations, listed } from "./bind-operations.ts";
import type { Bindings, BoundCollection, UnboundOperation } from "./binding.ts";
import type { Pair } from "./candidate.ts";
import { nameCollections } from "./collection-names.ts";
import { withCorrectedRoles } from "./config/corrected-roles.ts";
import { type NamedPair, overriddenPairs, withoutRefused } from "./config/overridden-pairs.ts";
import type { BindOverrides } from "./config/overrides.ts";
import { RECORDED_REASONS, withOwnBindings } from "./config/own-bindings.ts";
import { finishCollection } from "./finish-collection.ts";
import { joinElementLists } from "./forms/element-lists.ts";
import { joinGivenLists } from "./forms/given-lists.ts";
import { joinLabelledKeys } from "./forms/labelled-keys.ts";
import { filteredBelow, isListAtWildcard, segmentOf } from "./forms/lists-at-wildcards.ts";
import { joinLoneRecords } from "./forms/lone-records.ts";
import { joinOwnerLists } from "./forms/owner-lists.ts";
import { findSingletons } from "./forms/singletons.ts";
import { joinTwoSegmentIds } from "./forms/two-segment-ids.ts";
import { Groups } from "./groups.ts";
import { type Drafted, joinActions, joinLists, joinPages, joinSame, nestedListFor } from "./join.ts";
import { parentNames } from "./parent-names.ts";
import { type PathStep, pathKey, pathText } from "./path-shape.ts";
import { readPair } from "./read-pair.ts";
import { Shapes } from "./schema-shape.ts";

type Reasons = Map<Operation, string>;

/** Tells which operations of a document are a collection, by the shape of their paths and bodies. */
export function bindDocument(document: ApiDocument, given?: BindOverrides): Bindings {
  const binder = new Binder(document);
  const found = binder.bind([]);
  const overrides = withOwnBindings(document, given);
  if (overrides.collections.size === 0) return found;
  const pairs = overriddenPairs({ document, groups: binder.groups, found }, overrides);
  const names = new Map(found.collections.map(({ name, path }) => [path, name]));
  const bound = withoutRefused(pairs.length > 0 ? binder.bind(pairs, names) : found, overrides);
  return { ...bound, collections: bound.collections.map((one) => binder.corrected(one, overrides)) };
}

class Binder {
  readonly #document: ApiDocument;
  readonly #shapes: Shapes;
  readonly groups: Groups;

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#shapes = new Shapes(document.references);
    this.groups = new Groups(document);
  }

  /** With the corrections of the config to the parameters and fields of its lists. */
  corrected(collection: BoundCollection, { collections, fail }: BindOverrides): BoundCollection {
    const { name } = collection;
    const override = collections.get(name);
    if (!override) return collection;
    return withCorrectedRoles(this.#shapes, collection, { ...override, fail: (...told) => fail(name, ...told) });
  }

  /** `wanted` are pairs that are given; `names` the names of others, by the path of their list. */
  bind(wanted: readonly NamedPair[], names: ReadonlyMap<string, string> = new Map()): Bindings {
    const why: Reasons = new Map();
    const [document, shapes] = [this.#document, this.#shapes];
    const given = wanted.map((pair) => readWanted(shapes, pair, why));
    joinGivenLists(shapes, wanted, given);
    keepKnown(wanted, given);
    const taken = new Set(wanted.flatMap(({ list, item, lists }) => [list, item, ...lists].map((one) => one?.key)));
    const pairs = pairsOf(shapes, document, this.groups)
      .map((pair) => nestedListFor(shapes, pair, this.groups) ?? pair)
      .filter(({ list, item }) => !(list && taken.has(list.key)) && !(item && taken.has(item.key)));
    const read = joinSame(shapes, [...given, ...pairs.flatMap((pair) => readCollection(shapes, pair, why))]);
    joinLists(shapes, this.groups, read);
    const drafted = joinPages(read);
    joinTwoSegmentIds(shapes, this.groups, drafted);
    joinLabelledKeys(shapes, this.groups, drafted);
    joinOwnerLists(shapes, { groups: this.groups, kept: new Set(given) }, drafted);
    joinLoneRecords(shapes, this.groups, drafted);
    joinElementLists(shapes, { groups: this.groups, kept: new Set(given) }, drafted);
    joinActions(shapes, this.groups, drafted);
    drafted.push(...findSingletons(shapes, this.groups, drafted));
    const bound = new Set(drafted.flatMap(({ drafts }) => drafts.map(({ operation }) => operation)));
    const fixed = drafted.map((one) => wanted[given.indexOf(one)]?.name ?? names.get(pathText(one.candidate.steps)));
    const named = nameCollections(
      drafted.map(({ candidate }, position) => ({
        ...candidate,
        name: fixed[position],
        isLast: candidate.form !== undefined,
      })),
    );
    const parents = parentNames(drafted, named);
    const isRecorded = document.root[RECORDED_REASONS] !== undefined;
    const recorded = new Set(isRecorded ? wanted.map(({ name }) => name) : []);
    return {
      collections: drafted.map((one, position) =>
        finishCollection(shapes, one, { name: named[position]!, parents, recorded }),
      ),
      unbound: document.operations
        .filter((operation) => !bound.has(operation))
        .map((operation): UnboundOperation => ({ operation, why: why.get(operation) ?? usualReason(operation) })),
    };
  }
}

function readWanted(shapes: Shapes, pair: NamedPair, why: Reasons): Drafted {
  const [drafted] = readCollection(shapes, pair, why);
  if (!drafted) {
    const [first] = [...(pair.list?.operations ?? []), ...(pair.item?.operations ?? [])];
    throw pair.fail(`${(first && why.get(first)) ?? "these paths have no operations"}.`);
  }
  const { idKey, hidesId, record, listSpot } = drafted.candidate;
  const known = [...record.properties.keys(), ...(listSpot?.shape.properties.keys() ?? [])];
  const isFound = hidesId || idKey === pair.known?.idKey;
  if (!isFound && known.length > 0 && !known.includes(idKey)) {
    throw pair.fail(`its records have no property "${idKey}".${didYouMean(idKey, known)}`, "id");
  }
  return drafted;
}

/** A correction of one path does not lose the operations that were found at others. */
function keepKnown(wanted: readonly NamedPair[], given: readonly Drafted[]): void {
  const bound = new Set(given.flatMap(({ drafts }) => drafts.map(({ operation }) => operation)));
  for (const [position, { known, list, item }] of wanted.entries()) {
    const own = [...(list?.operations ?? []), ...(item?.operations ?? [])];
    const others = known?.operations.filter(({ operation }) => !bound.has(operation) && !own.includes(operation));
    given[position]?.drafts.push(...(others ?? []));
  }
}

/** Every path that may be a list, with that of single records below it. */
function pairsOf(shapes: Shapes, { basePaths }: ApiDocument, groups: Groups): Pair[] {
  const pairs = new Map<string, Pair>();
  const lists = [...groups.all()].filter((group) => isListAtWildcard(shapes, groups, group));
  for (const list of lists) {
    const { key, steps } = list;
    const filtered = filteredBelow(shapes, groups, list);
    const item = filtered.length > 0 ? undefined : groups.itemBelow(key);
    pairs.set(key, { segment: segmentOf(steps) || (lastName(basePaths) ?? ""), steps, list, item, filtered });
  }
  for (const { steps } of groups.all()) {
    const list = steps.at(-1)?.kind === "wildcard" ? steps.slice(0, -1) : steps;
    const key = pathKey(list);
    const segment = list.length === 0 ? lastName(basePaths) : fixedEnd(list);
    if (segment === undefined || pairs.has(key)) continue;
    const below = groups.itemBelow(key);
    const filtered = filteredBelow(shapes, groups, groups.at(key));
    const item = filtered.length > 0 || (below && lists.includes(below)) ? undefined : below;
    pairs.set(key, { segment, steps: list, list: groups.at(key), item, filtered });
  }
  return [...pairs.values()];
}

function fixedEnd(steps: readonly PathStep[]): string | undefined {
  const [above, last] = [steps.at(-2), steps.at(-1)];
  if (last?.kind !== "fixed") return undefined;
  // `/notifications/list` lists notifications.
  return last.text === "list" && above?.kind === "fixed" ? above.text : last.text;
}

/** `/{id}` of an API at `https://host/v1/pets` is a pet. */
function lastName(basePaths: readonly string[]): string | undefined {
  const segments = basePaths[0]?.split("/") ?? [];
  return segments.findLast((segment) => /[a-z]/i.test(segment) && !/^v\d/i.test(segment) && segment !== "api");
}

function readCollection(shapes: Shapes, pair: Pair, why: Reasons): Drafted[] {
  const candidate = readPair(shapes, pair);
  if ("why" in candidate) return refuse(pair, candidate.why, why);
  const outcomes = [
    ...bindOperations(shapes, candidate),
    ...(pair.filtered ?? []).flatMap(({ operations }) =>
      operations.map((operation) => listed(shapes, candidate, { operation, spot: candidate.listSpot })),
    ),
  ];
  const drafts = outcomes.flatMap((outcome) => ("draft" in outcome ? [outcome.draft] : []));
  const isWhole = candidate.form === "pages" || (candidate.item && candidate.listSpot);
  const isEnough = isWhole || candidate.firstSpot !== undefined || drafts.some(({ action }) => action === "create");
  if (!isEnough && !pair.wanted) {
    refuse(pair, `no path of single records below ${pathText(pair.steps)}, and nothing creates one`, why);
  }
  for (const outcome of outcomes) if ("why" in outcome) why.set(outcome.operation, outcome.why);
  return isEnough || pair.wanted ? [{ candidate, drafts, lent: new Set() }] : [];
}

function refuse({ list, item }: Pair, reason: string, why: Reasons): [] {
  for (const operation of [...(list?.operations ?? []), ...(item?.operations ?? [])]) why.set(operation, reason);
  return [];
}

function usualReason({ path }: Operation): string {
  const last = path.segments.at(-1);
  if (last?.kind === "pattern") return "its path has more than the id in one segment";
  return path.names.length > 0 ? "an action, or a part of a record" : "not a list, and not a record of one";
}
