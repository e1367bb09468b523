import type { Placed } from "../../schema/references.ts";
import type { Operation } from "../read/api-document.ts";
import { assumeBodies } from "./bodies/assumed-bodies.ts";
import { bodySchema, jsonContent, successOf } from "./bodies/bodies.ts";
import { bodySpots, spotsOf } from "./bodies/body-spots.ts";
import { shownOne } from "./bodies/first-records.ts";
import { findIdList, isBareList } from "./bodies/lists-of-ids.ts";
import { ALIKE, likeness, type RecordSpot, recordShapeOf, SURELY_ALIKE } from "./bodies/record-spots.ts";
import { isAroundOne, isSameEnvelope } from "./bodies/same-envelope.ts";
import { bestList, listSpots, readSpots } from "./bodies/spot-choice.ts";
import type { Candidate, Pair } from "./candidate.ts";
import { idParameterOf, operationOf } from "./groups.ts";
import { freeIdKey } from "./ids/field-keys.ts";
import { findIdKey, type Naming } from "./ids/id-key.ts";
import { idInExamples, keysOf, type PairSpots, shapesIn } from "./ids/keys-of-pair.ts";
import { pathText } from "./path-shape.ts";
import { isPaged } from "./query/parameter-roles.ts";
import type { SchemaShape, Shapes } from "./schema-shape.ts";
import { tellsSeveral } from "./told-several.ts";
import { isSameNoun } from "./words.ts";

/** Why paths that look like a collection are none. */
export interface CandidateRefusal {
  readonly why: string;
}

/** Reads a pair of paths as a collection, or says why it is none. */
export function readPair(shapes: Shapes, pair: Pair): Candidate | CandidateRefusal {
  const { segment, steps, list, item, wanted } = pair;
  const creates = operationOf(list, "POST");
  const lister = operationOf(list, "GET");
  if (!lister && !creates) return { why: `there is no list and no create at ${pathText(steps)}` };
  if (!lister && !item) return { why: `an action: there is no list at ${pathText(steps)}` };
  const isLone = !item && !creates;
  if (isLone && !wanted && !pair.filtered?.length && !(lister && isPaged(shapes, lister))) {
    return { why: `no path of single records below ${pathText(steps)}` };
  }
  const assumed = assumeBodies(shapes, pair);
  const spotsIn = (operation: Operation | undefined): ReturnType<typeof spotsOf> => {
    const body = operation && assumed?.get(operation);
    return body ? bodySpots(shapes, body, segment) : spotsOf(shapes, operation, segment);
  };
  const listed = spotsIn(lister);
  if (typeof listed === "string") return { why: `GET ${pathText(steps)}: ${listed}` };
  const found = spotsIn(operationOf(item, "GET"));
  // Without a record in it, such as a file or a mere answer that it exists, there is still the list.
  const read = (typeof found === "string" || found?.length === 0) && lister ? undefined : found;
  if (typeof read === "string") return { why: `GET ${pathText(item!.steps)}: ${read}` };
  const ofRecords = listed && listSpots(listed, pair, read ?? []);
  const ofIds =
    ofRecords?.length === 0
      ? findIdList(shapes, pair, { body: bodyOf(lister), below: bodyOf(operationOf(item, "GET")), reads: read ?? [] })
      : undefined;
  const lists = ofIds ? [ofIds] : ofRecords;
  const shown = wanted ? undefined : shownOne(shapes, pair, { listed, read });
  if (shown) return shown;
  if (lists?.length === 0) return { why: `GET ${pathText(steps)} sends no list of records` };
  const isEnvelope = !wanted?.itemAt && isSameEnvelope(shapes, lists, [lister, operationOf(item, "GET")].map(bodyOf));
  // A body for both may have the list in `keys`, and one of them in `key`.
  const isOwn = ({ at, isList, isNamed, shape }: RecordSpot): boolean => {
    const isOne = (list: RecordSpot) => isNamed || isSameNoun(at.at(-1) ?? "", list.at.at(-1) ?? "");
    return isList || lists?.some((list) => list.shape.schema.place === shape.schema.place && isOne(list)) === true;
  };
  const reads = read && readSpots(isEnvelope ? read.filter(isOwn) : read, wanted, lists ?? []);
  const record = isBareList(ofIds)
    ? { list: ofIds }
    : isEnvelope && isAroundOne(segment, lists, read)
      ? bestRecord(shapes, pair, read)
      : (findRecord(shapes, pair, { lists, reads }) ?? listedAlone(shapes, pair, { lists, reads }));
  if (!record) return { why: unlike(pair, read !== undefined) };
  // `{code__iexact}` is the `code`, as Django spells it.
  const parameter = idParameterOf(item)?.replace(/__i?exact$/, "");
  if (!wanted?.at && isRecordItself(shapes, { parameter, segment }, [listed, read])) {
    return { why: `GET ${pathText(steps)} sends a single record` };
  }
  const records = shapesIn(record);
  const shownId = () =>
    idInExamples(parameter, [
      [lister, record.list],
      [operationOf(item, "GET"), record.read],
    ]);
  const isSeveral = !wanted?.id && record.read?.isList === true && tellsSeveral({ parameter, segment }, item);
  const { idKey, keyPath } = isSeveral
    ? {}
    : keysOf(shapes, record, { parameter, segment, wanted, list, item, shownId });
  if (idKey === undefined && !keyPath && !isLone && !isSeveral) {
    const name = parameter === undefined ? "an id" : `{${parameter}}`;
    return { why: `no property of the record of ${pathText(steps)} is named like ${name}` };
  }
  const own = idKey ?? freeIdKey(records);
  return {
    segment,
    steps,
    idKey: own,
    // Documents may require an id that they forget to describe.
    hidesId: idKey === undefined && !records.some(({ required }) => required.has(own)),
    form: isLone && (!wanted || idKey === undefined) ? "pages" : undefined,
    keyPath,
    record: recordShapeOf(records, own),
    list,
    item,
    listSpot: record.list,
    readSpot: record.read,
    assumed,
  };
}

/** Whether what should be a list is a record, and the list found in it one of its fields. */
function isRecordItself(
  shapes: Shapes,
  naming: Naming,
  listedAndRead: readonly (readonly RecordSpot[] | undefined)[],
): boolean {
  const [body, record] = listedAndRead.map((spots) => spots?.find(({ at, isList }) => at.length === 0 && !isList));
  if (!body || !record || likeness(body.shape, record.shape) < ALIKE) return false;
  return findIdKey(shapes, [body.shape], naming) !== undefined;
}

function findRecord(shapes: Shapes, pair: Pair, { lists, reads }: Spots): PairSpots | undefined {
  if (!lists) return bestRecord(shapes, pair, reads);
  if (!reads) return foundList(bestList(lists) ?? lists.find((list) => hasId(shapes, pair, list)));
  const isWanted = pair.wanted !== undefined;
  const own = isWanted
    ? lists
    : lists.filter(({ shape }) => !reads.some((read) => isGroup(shapes, shape, { read, pair })));
  // An object around the record has no id, as in `{ "createdAt": "...", "profile": { "id": 1 } }`.
  const withId = own.some((list) => hasId(shapes, pair, list)) ? reads.filter((read) => hasId(shapes, pair, read)) : [];
  const isHolder = ({ at }: RecordSpot): boolean => withId.some((one) => one.at.length === at.length + 1);
  return bestPair(own, isWanted ? reads : reads.filter((read) => withId.includes(read) || !isHolder(read)), isWanted);
}

/** Whether the elements of a list are groups of what the path sends: `groups[].categories` of `/categories/{id}`. */
function isGroup(
  shapes: Shapes,
  list: SchemaShape,
  { read, pair }: { readonly read: RecordSpot; readonly pair: Pair },
): boolean {
  const { place } = read.shape.schema;
  if (read.isList || list.schema.place === place) return false;
  return [...list.properties.keys()].some((name) => {
    const items = isSameNoun(name, pair.segment) ? shapes.property(list, name)?.items : undefined;
    return items !== undefined && shapes.of(items).schema.place === place;
  });
}

/** The list whose records a path names by their id, and sends something else about: `/tags/{label}` what has the tag. */
function listedAlone(shapes: Shapes, { segment, list, item }: Pair, { lists, reads }: Spots): PairSpots | undefined {
  const found = foundList(lists && bestList(lists));
  // A PUT may make what the list has, and nothing would tell which.
  if (!found?.list || (operationOf(item, "PUT") && !operationOf(list, "POST"))) return undefined;
  const idKey = findIdKey(shapes, [found.list.shape], { parameter: idParameterOf(item), segment });
  const isShown = idKey === undefined || reads?.some(({ shape }) => shape.properties.has(idKey));
  return isShown ? undefined : found;
}

function bodyOf(operation: Operation | undefined): Placed | undefined {
  return operation && bodySchema(jsonContent(successOf(operation)?.contents));
}

/** Where the list and the read of a collection may have records. */
interface Spots {
  readonly lists: readonly RecordSpot[] | undefined;
  readonly reads: readonly RecordSpot[] | undefined;
}

function foundList(list: RecordSpot | undefined): PairSpots | undefined {
  return list && { list };
}

/** Whether the elements of a list have what the path below it names. */
function hasId(shapes: Shapes, { segment, item }: Pair, { shape }: RecordSpot): boolean {
  return findIdKey(shapes, [shape], { parameter: idParameterOf(item), segment }) !== undefined;
}

function bestPair(
  lists: readonly RecordSpot[],
  reads: readonly RecordSpot[],
  isWanted: boolean,
): PairSpots | undefined {
  let best: (PairSpots & { score: number }) | undefined;
  for (const list of lists) {
    for (const read of reads) {
      const alike = likeness(list.shape, read.shape);
      if (!isWanted && alike < (read.isList ? SURELY_ALIKE : ALIKE)) continue;
      // A list that says nothing of its records leaves it to the names.
      const depth = list.shape.properties.size === 0 && read.shape.properties.size > 1 ? 0.5 : 0;
      // The very list is more likely to hold the record than what is around it.
      const isOther = read.isList && list.shape.schema.place !== read.shape.schema.place;
      const score = alike * 10 + list.rank + read.rank + depth - (isOther ? 6 : 0);
      if (!best || score > best.score) best = { list, read, score };
    }
  }
  return best;
}

/** Without a list: what is created is what is read. */
function bestRecord(shapes: Shapes, { segment, list }: Pair, reads: Spots["reads"]): PairSpots | undefined {
  const creates = operationOf(list, "POST")!;
  const sent = bodySpots(shapes, jsonContent(creates.requestBody?.contents), segment) ?? [];
  const got = spotsOf(shapes, creates, segment);
  const created = [...(typeof got === "string" ? [] : (got ?? [])), ...sent].filter(({ isList }) => !isList);
  let best: { read: RecordSpot; score: number } | undefined;
  for (const read of reads ?? []) {
    if (read.isList || read.shape.properties.size === 0) continue;
    for (const one of created) {
      const alike = one.shape.properties.size === 0 ? 0 : likeness(one.shape, read.shape);
      // `{ "order": { ... }, "errors": [] }` is what is around an order.
      const score = alike * 10 + read.rank + (isSameNoun(read.at.at(-1) ?? "", segment) ? 2 : 0);
      if (alike >= ALIKE && (!best || score > best.score)) best = { read, score };
    }
  }
  return best;
}

function unlike({ steps, item, list }: Pair, hasRead: boolean): string {
  if (!hasRead) return `the list of ${pathText(steps)} is not told apart from what stands around it`;
  const here = operationOf(list, "GET") ? "sends a list of" : "creates";
  return `${pathText(steps)} ${here} something else than ${pathText(item!.steps)} sends`;
}
