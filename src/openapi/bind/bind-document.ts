import { isJsonObject } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import type { ApiDocument, Operation, Parameter } from "../read/api-document.ts";
import { bindOperations, listed } from "./bind-operations.ts";
import {
  type Bindings,
  type BoundCollection,
  type FieldKey,
  isBelowRecord,
  type ParentKey,
  type UnboundOperation,
} from "./binding.ts";
import { isSentBeside } from "./bodies/sent-beside.ts";
import type { Pair } from "./candidate.ts";
import { nameCollections } from "./collection-names.ts";
import { withCorrectedRoles } from "./config/corrected-roles.ts";
import { type NamedPair, overriddenPairs, withoutRefused } from "./config/overridden-pairs.ts";
import type { BindOverrides } from "./config/overrides.ts";
import { RECORDED_REASONS, withOwnBindings } from "./config/own-bindings.ts";
import type { Draft } from "./draft.ts";
import { joinElementLists } from "./forms/element-lists.ts";
import { joinGivenLists } from "./forms/given-lists.ts";
import { joinLabelledKeys } from "./forms/labelled-keys.ts";
import { filteredBelow, isListAtWildcard, segmentOf } from "./forms/lists-at-wildcards.ts";
import { joinLoneRecords } from "./forms/lone-records.ts";
import { otherNamesOf } from "./forms/names-in-path.ts";
import { joinOwnerLists } from "./forms/owner-lists.ts";
import { findSingletons } from "./forms/singletons.ts";
import { joinTwoSegmentIds } from "./forms/two-segment-ids.ts";
import { Groups } from "./groups.ts";
import { ownKeyOf } from "./ids/own-keys.ts";
import { type Ancestor, ancestorsOf, type IsSent, ParentFields } from "./ids/parent-keys.ts";
import { codeTold } from "./ids/told-key.ts";
import { type Drafted, joinActions, joinLists, joinPages, joinSame, nestedListFor, unversioned } from "./join.ts";
import { type PathStep, pathKey, pathStepsOf, pathText } from "./path-shape.ts";
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
      collections: drafted.map((one, position) => finish(shapes, one, { name: named[position]!, parents, recorded })),
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

/** The names of collections by the path of their single records. */
interface ParentNames {
  readonly read: ReadonlyMap<string, string>;
  /** By paths that the document lacks: those of their lists with a wildcard. */
  readonly assumed: ReadonlyMap<string, string>;
}

function parentNames(drafted: readonly Drafted[], names: readonly string[]): ParentNames {
  const read = new Map<string, string>();
  const assumed = new Map<string, string>();
  // `/orders/{type}` that lists orders names none of them.
  const lists = new Set(
    drafted.flatMap(({ drafts }) =>
      drafts.flatMap(({ action, operation }) =>
        action === "list" ? [pathKey(pathStepsOf(operation.path) ?? [])] : [],
      ),
    ),
  );
  // `/projects/{owner}` of `/projects/{owner}/{project}` is no project.
  const owners = new Set(
    drafted.flatMap(({ drafts }) =>
      drafts.flatMap(({ keys, operation }) =>
        keys.length > 1 ? [pathKey(pathStepsOf(operation.path)?.slice(0, -1) ?? [])] : [],
      ),
    ),
  );
  for (const [position, { candidate, drafts }] of drafted.entries()) {
    for (const draft of drafts) {
      const { operation, idParameter } = draft;
      if (isBelowRecord(draft) || candidate.hidesId) continue;
      const key = pathKey(pathStepsOf(operation.path)!);
      if (idParameter !== undefined) {
        read.set(key, names[position]!);
        // `/v2/pets/{id}/visits` below `/v3/pets/{id}`
        const plain = unversioned(pathStepsOf(operation.path)!);
        if (!read.has(plain)) read.set(plain, names[position]!);
      } else if (![assumed, lists, owners].some((known) => known.has(`${key}/{}`)))
        assumed.set(`${key}/{}`, names[position]!);
    }
  }
  return { read, assumed };
}

/** Whether a wildcard is one of a few given words, as kinds are and ids are not. */
function isKind(shapes: Shapes, parameter: Parameter | undefined): boolean {
  const value = parameter?.schema && shapes.of(parameter.schema).schema.value;
  return isJsonObject(value) && Array.isArray(value.enum);
}

function finish(
  shapes: Shapes,
  drafted: Drafted,
  {
    name,
    parents,
    recorded,
  }: {
    readonly name: string;
    readonly parents: ParentNames;
    readonly recorded: ReadonlySet<string>;
  },
): BoundCollection {
  const { candidate, drafts, lent } = drafted;
  const { idKey, hidesId, record } = candidate;
  const isSent: IsSent = (field, parameter) => isSentBeside(shapes, drafts, { field, parameter });
  const fields = new ParentFields(shapes, { record, idKey, isSent });
  fields.prepare(drafts.flatMap(parentSteps));
  for (const draft of drafts) {
    for (const ancestor of parentSteps(draft)) {
      const code = codeTold(shapes, record, parameterOf(draft.operation, ancestor)?.description ?? "");
      if (code !== undefined && code !== idKey && !fields.of(ancestor, undefined).isInRecord) fields.of(ancestor, code);
    }
  }
  // `/orders` may list what `/orders/{type}` does; a type is no order.
  const isAtWildcard = candidate.steps.at(-1)?.kind === "wildcard";
  const parentAt = ({ steps, isEnd }: Ancestor, parameter: Parameter | undefined): string | undefined => {
    const key = pathKey(steps);
    // `/packages/{package_type}/{package_name}` without a path `/packages/{package_type}` of single records.
    const found =
      parents.read.get(key) ??
      parents.read.get(unversioned(steps)) ??
      (isKind(shapes, parameter) ? undefined : parents.assumed.get(key));
    return (isAtWildcard || isEnd) && found === name ? undefined : found;
  };
  const ofOwn = drafts.filter(({ operation }) => !lent?.has(operation));
  const stored = new Set(ofOwn.flatMap(parentSteps).map(({ steps }) => pathKey(steps)));
  return {
    name,
    path: pathText(candidate.steps),
    idKey,
    ownKey: ownKeyOf(shapes, drafted, (draft) => parentSteps(draft).length > 0),
    hidesId,
    otherNames: otherNamesOf(shapes, drafted),
    isSingle: candidate.form === "single",
    record: record.schema,
    operations: drafts.map((draft) => ({
      ...draft,
      parents: parentSteps(draft).map((ancestor): ParentKey => {
        const told = parameterOf(draft.operation, ancestor);
        const owner = drafted.owned?.get(draft.operation);
        if (owner?.parameter === ancestor.parameter) return ownerKey(owner, parentAt(ancestor, told));
        const field = fields.of(ancestor, told?.field);
        return {
          parameter: ancestor.parameter,
          ...field,
          isTold: recorded.has(name),
          isOfAll: !field.isInRecord && lent?.has(draft.operation) === true && !stored.has(pathKey(ancestor.steps)),
          // Traffic may have shown that the parent need not be there.
          collection: told?.role === "open" ? undefined : parentAt(ancestor, told),
        };
      }),
    })),
  };
}

/** The parent of lists that have what somebody owns. */
function ownerKey({ parameter, path: [holder, field = ""] }: FieldKey, collection: string | undefined): ParentKey {
  return { parameter, holder, field, isInRecord: true, isOfAll: false, isTold: true, collection };
}

function parameterOf({ parameters }: Operation, { parameter }: Ancestor): Parameter | undefined {
  return parameters.find((one) => one.in === "path" && one.name === parameter);
}

/** The wildcards of a path that neither are the id nor find the record by other fields. */
function parentSteps(draft: Draft): readonly Ancestor[] {
  const found = new Set(draft.keys.map(({ parameter }) => parameter));
  const ancestors = ancestorsOf(recordSteps(draft), draft.idParameter !== undefined);
  return ancestors.filter(({ parameter }) => !found.has(parameter));
}

/** The path of a list or a record. */
function recordSteps(draft: Draft): readonly PathStep[] {
  const steps = pathStepsOf(draft.operation.path)!;
  if (!isBelowRecord(draft)) return steps;
  if (draft.elements?.parameter !== undefined) return steps.slice(0, -2);
  return steps.slice(0, steps.findLastIndex(({ kind }) => kind === "wildcard") + 1);
}

function usualReason({ path }: Operation): string {
  const last = path.segments.at(-1);
  if (last?.kind === "pattern") return "its path has more than the id in one segment";
  return path.names.length > 0 ? "an action, or a part of a record" : "not a list, and not a record of one";
}
