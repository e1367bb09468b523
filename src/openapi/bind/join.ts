import type { Operation } from "../read/api-document.ts";
import { acted, downloaded, uploaded } from "./bind-below.ts";
import { listed } from "./bind-operations.ts";
import { type FieldKey, isBelowRecord } from "./binding.ts";
import { successOf } from "./bodies/bodies.ts";
import { spotsOf } from "./bodies/body-spots.ts";
import type { RecordSpot } from "./bodies/record-spots.ts";
import { sendsBytes, sendsFile } from "./bodies/sent-files.ts";
import type { Candidate, Pair } from "./candidate.ts";
import { created, saysCreate, textSaysCreate } from "./creates.ts";
import type { Draft } from "./draft.ts";
import { type Group, type Groups, operationOf } from "./groups.ts";
import { ancestorsOf, parentField } from "./ids/parent-keys.ts";
import { type PathStep, pathKey, pathStepsOf } from "./path-shape.ts";
import { parameterRoles } from "./query/parameter-roles.ts";
import type { ParameterRole } from "./roles.ts";
import type { Shapes } from "./schema-shape.ts";
import { isSameNoun, plainName } from "./words.ts";

/** A collection whose operations are found, but which has no name yet. */
export interface Drafted {
  readonly candidate: Candidate;
  readonly drafts: Draft[];
  /** Lists at paths that its records tell nothing of. */
  readonly lent?: Set<Operation>;
  /** Lists and creates at paths of an owner, by the field of the records that names it. */
  owned?: Map<Operation, FieldKey>;
}

/** The list of single records elsewhere: `/projects/{id}/tasks` for `/tasks/{id}`, if both send the same record. */
export function nestedListFor(shapes: Shapes, pair: Pair, groups: Groups): Pair | undefined {
  const { list, item, segment } = pair;
  if (!item || operationOf(list, "GET") || operationOf(list, "POST")) return undefined;
  const read = recordSpot(shapes, item, { segment, isList: false });
  if (!read) return undefined;
  for (const group of groups.ofNoun(segment)) {
    if (groups.itemBelow(group.key) || ancestorsOf(group.steps, false).length !== 1) continue;
    const found = recordSpot(shapes, group, { segment, isList: true });
    if (found?.shape.schema.place === read.shape.schema.place) return { ...pair, list: group };
  }
  return undefined;
}

/** Collections that are the same seen from two paths become one. */
export function joinSame(shapes: Shapes, drafted: readonly Drafted[]): Drafted[] {
  const order = [...drafted].sort((a, b) => nesting(a.candidate) - nesting(b.candidate));
  const kept: Drafted[] = [];
  for (const one of order) {
    const same = kept.find(({ candidate }) => isSame(shapes, candidate, one.candidate));
    if (same) same.drafts.push(...one.drafts.filter(({ operation }) => !hasOperation(same, operation)));
    else kept.push(one);
  }
  return drafted.filter((one) => kept.includes(one));
}

/** Lists without records of their own show those of a collection with the same schema. */
export function joinPages(drafted: readonly Drafted[]): Drafted[] {
  const order = [...drafted].sort((a, b) => nesting(a.candidate) - nesting(b.candidate));
  return drafted.flatMap((one): Drafted[] => {
    const { form, record, segment } = one.candidate;
    if (form !== "pages") return [one];
    const same = order.filter(({ candidate: { form: other, ...shown } }) => {
      const shapesOf = [shown.record, shown.listSpot?.shape];
      // A list that is described as one record is no list of all of its kind.
      return !other && !shown.firstSpot && shapesOf.some((shape) => shape?.schema.place === record.schema.place);
    });
    const target = same.find(({ candidate }) => isSameNoun(candidate.segment, segment)) ?? same[0];
    if (!target) return [one];
    const drafts = one.drafts.filter(({ operation }) => !hasOperation(target, operation));
    target.drafts.push(...drafts);
    for (const { operation } of drafts) target.lent?.add(operation);
    return [];
  });
}

function hasOperation({ drafts }: Drafted, operation: Operation): boolean {
  return drafts.some((draft) => draft.operation === operation);
}

function nesting({ steps }: Candidate): number {
  return ancestorsOf(steps, false).length;
}

function isSame(shapes: Shapes, one: Candidate, other: Candidate): boolean {
  if (!isSameNoun(one.segment, other.segment) || one.idKey !== other.idKey) return false;
  if (one.record.schema.place !== other.record.schema.place) return false;
  // Their last nouns are the same.
  if (unversioned(one.steps.slice(0, -1)) === unversioned(other.steps.slice(0, -1))) return true;
  if (nesting(other) <= nesting(one)) return false;
  // `/projects/{id}/tasks` without records of its own lists those of `/tasks/{id}`.
  return (one.item !== undefined && other.item === undefined) || isReachable(shapes, one, other.steps);
}

/** Whether every wildcard of a path is a field of the record, so that it only filters. */
function isReachable(shapes: Shapes, { record, idKey }: Candidate, steps: readonly PathStep[]): boolean {
  const ancestors = ancestorsOf(steps, false);
  return ancestors.length > 0 && ancestors.every((one) => parentField(shapes, { record, idKey }, one).isInRecord);
}

/** A path without versions. */
export function unversioned(steps: readonly PathStep[]): string {
  return pathKey(steps.filter((step) => step.kind !== "fixed" || !/^v\d+(?:[._]\d+)*$/i.test(step.text)));
}

/**
 * Lists at other paths that show records of a collection: `/companies/{id}/products` where products have a
 * `companyId`, and `/pets/findByStatus?status=` where the parameter is required and a field of the record, or a search.
 */
export function joinLists(shapes: Shapes, groups: Groups, drafted: readonly Drafted[]): void {
  const bound = new Set(drafted.flatMap(({ drafts }) => drafts.map(({ operation }) => operation)));
  for (const one of drafted) {
    const { candidate } = one;
    const below = groups.below(pathKey(candidate.steps)).filter((group) => hasFilter(shapes, candidate, group));
    const nested = groups.ofNoun(candidate.segment).filter(({ steps }) => isReachable(shapes, candidate, steps));
    const above = listAbove(groups, candidate);
    for (const group of [...nested, ...below, ...(above ? [above] : [])]) {
      const operation = operationOf(group, "GET");
      if (!operation || bound.has(operation) || (groups.itemBelow(group.key) && group !== above)) continue;
      if (joinList(shapes, one, group)) bound.add(operation);
    }
    for (const operation of joinCreates(shapes, { groups, bound }, one)) bound.add(operation);
    for (const operation of joinCreatesBelow(shapes, { groups, bound }, one)) bound.add(operation);
  }
}

/** `/orders`, where `/orders/{type}` lists those of one type. */
function listAbove(groups: Groups, { steps }: Candidate): Group | undefined {
  return steps.at(-1)?.kind === "wildcard" ? groups.at(pathKey(steps.slice(0, -1))) : undefined;
}

/** `POST /owners/{ownerId}/pets/{petId}/visits` where visits have a `petId`, and nothing lists them there. */
function joinCreates(
  shapes: Shapes,
  { groups, bound }: { readonly groups: Groups; readonly bound: ReadonlySet<Operation> },
  { candidate, drafts }: Drafted,
): Operation[] {
  const { record, segment } = candidate;
  return groups.ofNoun(segment).flatMap((group) => {
    const put = operationOf(group, "PUT");
    const operation = operationOf(group, "POST") ?? (put && saysCreate(put) ? put : undefined);
    const parent = ancestorsOf(group.steps, false).at(-1);
    const isAlone = !operationOf(group, "GET") && !groups.itemBelow(group.key);
    if (!operation || !parent || !isAlone || bound.has(operation)) return [];
    const outcome = created(shapes, candidate, operation);
    if (!("draft" in outcome) || outcome.draft.view?.place !== record.schema.place) return [];
    // `POST /users/{username}/orgs` of records that have a `username` of their own.
    const own = plainName(candidate.idKey);
    const isNamedAlike = ["username", "login", "handle"].includes(own) && plainName(parent.parameter) === own;
    if (!isNamedAlike && !parentField(shapes, candidate, parent).isInRecord) return [];
    drafts.push(outcome.draft);
    return [operation];
  });
}

/** `POST /accounts/import` and `POST /rules/create`, which send one of the records. */
function joinCreatesBelow(
  shapes: Shapes,
  { groups, bound }: { readonly groups: Groups; readonly bound: ReadonlySet<Operation> },
  { candidate, drafts }: Drafted,
): Operation[] {
  return groups.below(pathKey(candidate.steps)).flatMap((group) => {
    const operation = operationOf(group, "POST");
    if (!operation || bound.has(operation) || operationOf(group, "GET") || groups.itemBelow(group.key)) return [];
    // Ids of operations call every POST a create: `tickets_attachments_create`.
    const isNew = CREATES.test(fixedEnd(group)) || successOf(operation)?.status === 201 || textSaysCreate(operation);
    const outcome = isNew ? created(shapes, candidate, operation) : undefined;
    if (!outcome || !("draft" in outcome) || outcome.draft.view?.place !== candidate.record.schema.place) return [];
    drafts.push(outcome.draft);
    return [operation];
  });
}

const CREATES = /^(?:create|add|new|import)$/i;

function joinList(shapes: Shapes, { candidate, drafts }: Drafted, group: Group): boolean {
  const operation = operationOf(group, "GET");
  const spot = recordSpot(shapes, group, { segment: candidate.segment, isList: true });
  const places = [candidate.record, candidate.listSpot?.shape].map((shape) => shape?.schema.place);
  if (!operation || !spot || !places.includes(spot.shape.schema.place)) return false;
  const post = operationOf(group, "POST");
  const outcomes = [
    listed(shapes, candidate, { operation, spot }),
    ...(post && isSameNoun(fixedEnd(group), candidate.segment) ? [created(shapes, candidate, post)] : []),
  ];
  for (const outcome of outcomes) if ("draft" in outcome) drafts.push(outcome.draft);
  return true;
}

/**
 * Actions on single records: `POST /orders/{id}/cancel`, if it sends the order; and the files that records were made of:
 * `GET /files/{id}/content`; and files of records: `PUT /pets/{id}/photo`.
 */
export function joinActions(shapes: Shapes, groups: Groups, drafted: readonly Drafted[]): void {
  const bound = new Set(drafted.flatMap(({ drafts }) => drafts.map(({ operation }) => operation)));
  for (const { candidate, drafts } of drafted) {
    const below = belowRecords(groups, drafts);
    const isOfFiles = drafts.some(({ action, operation }) => action === "create" && sendsFile(shapes, operation));
    for (const { group, keys } of below) {
      const reads = operationOf(group, "GET");
      const uploads = ["POST", "PUT", "PATCH"].flatMap((method) => operationOf(group, method) ?? []).filter(sendsBytes);
      if ((reads && !isOfFiles && uploads.length === 0) || groups.itemBelow(group.key)) continue;
      for (const operation of uploads) {
        if (bound.has(operation)) continue;
        const draft = uploaded(shapes, candidate, operation);
        drafts.push(keys.length === 0 ? draft : { ...draft, idParameter: undefined, keys });
        bound.add(operation);
      }
      for (const method of reads ? ["GET"] : ["POST", "PUT", "PATCH"]) {
        const operation = operationOf(group, method);
        const outcome =
          operation && !bound.has(operation) ? (reads ? downloaded : acted)(shapes, candidate, operation) : undefined;
        if (!outcome || !("draft" in outcome)) continue;
        drafts.push(keys.length === 0 ? outcome.draft : { ...outcome.draft, idParameter: undefined, keys });
      }
    }
  }
}

/** The paths one fixed segment below those of single records, also behind `actions`, with the address of the record. */
export function belowRecords(
  groups: Groups,
  drafts: readonly Draft[],
): (Pick<Draft, "idParameter" | "keys"> & { readonly group: Group })[] {
  const items = new Map(
    drafts.flatMap((draft): [string, Pick<Draft, "idParameter" | "keys">][] => {
      const { operation, idParameter, keys } = draft;
      if (isBelowRecord(draft) || (idParameter === undefined && keys.length === 0)) return [];
      return [[pathKey(pathStepsOf(operation.path)!), { idParameter, keys }]];
    }),
  );
  // `/orders/{id}/actions/cancel`
  const groupsOf = (key: string): Group[] => [
    ...groups.below(key),
    ...["actions", "action"].flatMap((name) => groups.below(`${key}/${name}`)),
  ];
  return [...items].flatMap(([key, address]) => groupsOf(key).map((group) => ({ group, ...address })));
}

/** `/pets/findByStatus?status=`, `/pets/search?query=`: what is given is a field of the record, or a search that must be. */
function hasFilter(shapes: Shapes, candidate: Candidate, group: Group): boolean {
  const operation = operationOf(group, "GET");
  if (!operation) return false;
  const required = operation.parameters.filter((parameter) => parameter.in === "query" && parameter.isRequired);
  const roles = parameterRoles(shapes, operation, candidate);
  return (
    (roles.some(({ role }) => role === "filter") ||
      required.some(({ name }) => roles.some((one) => one.name === name && ASKING.includes(one.role)))) &&
    required.every(({ name }) => roles.some((one) => one.name === name))
  );
}

const ASKING: readonly ParameterRole[] = ["filter", "search"];

function fixedEnd({ steps }: Group): string {
  const last = steps.at(-1);
  return last?.kind === "fixed" ? last.text : "";
}

export function recordSpot(
  shapes: Shapes,
  group: Group,
  { segment, isList }: { readonly segment: string; readonly isList: boolean },
): RecordSpot | undefined {
  const spots = spotsOf(shapes, operationOf(group, "GET"), segment);
  if (typeof spots === "string" || !spots) return undefined;
  return spots.find((spot) => spot.isList === isList && spot.shape.properties.size > 0);
}
