import type { Operation } from "../../read/api-document.ts";
import type { ElementList } from "../binding.ts";
import { formContent, jsonContent } from "../bodies/bodies.ts";
import { spotsOf } from "../bodies/body-spots.ts";
import { ALIKE, likeness, type RecordSpot } from "../bodies/record-spots.ts";
import type { Candidate } from "../candidate.ts";
import { type Draft, draft } from "../draft.ts";
import { type Group, type Groups, operationOf } from "../groups.ts";
import { findIdKey } from "../ids/id-key.ts";
import { belowRecords, type Drafted, recordSpot } from "../join.ts";
import { envelopeOf } from "../query/envelope-roles.ts";
import { parameterRoles } from "../query/parameter-roles.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike } from "../words.ts";

/**
 * `/issues/{id}/labels` of issues with `labels`, where a write responds with the whole list: that is the field of the
 * issue. As a collection it would have each label once, for one issue. `kept` are collections that the config names.
 */
export function joinElementLists(
  shapes: Shapes,
  { groups, kept }: { readonly groups: Groups; readonly kept: ReadonlySet<Drafted> },
  drafted: Drafted[],
): void {
  for (const { candidate, drafts } of [...drafted]) {
    for (const { group, ...address } of belowRecords(groups, drafts)) {
      const item = groups.itemBelow(group.key);
      const found = findList(shapes, candidate, { group, item, drafted });
      const operations = [...group.operations, ...(item?.operations ?? [])];
      if (!found || !takeOver(drafted, operations, kept)) continue;
      for (const operation of operations) {
        const parameter = group.operations.includes(operation) ? undefined : operation.path.names.at(-1);
        const elements = { field: found.field, key: found.key, parameter };
        drafts.push({ ...elementsDraft(shapes, candidate, { operation, elements, list: found.list }), ...address });
      }
    }
  }
}

interface FoundList {
  readonly field: string;
  readonly key: string | undefined;
  readonly list: SchemaShape;
}

function findList(
  shapes: Shapes,
  { record }: Candidate,
  {
    group,
    item,
    drafted,
  }: { readonly group: Group; readonly item: Group | undefined; readonly drafted: readonly Drafted[] },
): FoundList | undefined {
  const last = group.steps.at(-1);
  const segment = last?.kind === "fixed" ? last.text : "";
  const field = findAlike(record.properties.keys(), segment, (name) => elementOf(shapes, record, name) !== undefined);
  const element = field === undefined ? undefined : elementOf(shapes, record, field);
  const list = field === undefined ? undefined : recordSpot(shapes, group, { segment, isList: true })?.shape;
  if (field === undefined || !element || !list || likeness(list, element) < ALIKE) return undefined;
  const sendsList = (method: string): boolean => listSpot(shapes, operationOf(group, method), list) !== undefined;
  if (!sendsList("POST") && !sendsList("PUT")) return undefined;
  if (item?.operations.some(({ method }) => method !== "DELETE")) return undefined;
  const wildcard = item?.steps.at(-1);
  const { place } = list.schema;
  // What paths name a label by, requests do as well.
  const same = item ? undefined : drafted.find(({ candidate: one }) => one.item && one.record.schema.place === place);
  const key =
    same?.candidate.idKey ??
    findIdKey(shapes, [list], {
      parameter: wildcard?.kind === "wildcard" ? wildcard.name : undefined,
      segment,
    });
  return item && key === undefined ? undefined : { field, key, list };
}

/** The objects in a list of the record. */
function elementOf(shapes: Shapes, record: SchemaShape, name: string): SchemaShape | undefined {
  const items = shapes.property(record, name)?.items;
  const element = items && shapes.of(items);
  return element && element.properties.size > 0 ? element : undefined;
}

function listSpot(shapes: Shapes, operation: Operation | undefined, list: SchemaShape): RecordSpot | undefined {
  const spots = spotsOf(shapes, operation, "");
  if (typeof spots === "string") return undefined;
  return spots?.find(({ isList, shape }) => isList && shape.schema.place === list.schema.place);
}

/** Takes operations from the collection that consists of nothing else; false where another one has some of them. */
function takeOver(drafted: Drafted[], operations: readonly Operation[], kept: ReadonlySet<Drafted>): boolean {
  const holders = drafted.filter(({ drafts }) => drafts.some(({ operation }) => operations.includes(operation)));
  const areOwn = holders.every(
    (one) => !kept.has(one) && one.drafts.every(({ operation }) => operations.includes(operation)),
  );
  if (areOwn) for (const one of holders) drafted.splice(drafted.indexOf(one), 1);
  return areOwn;
}

function elementsDraft(
  shapes: Shapes,
  candidate: Candidate,
  {
    operation,
    elements,
    list,
  }: { readonly operation: Operation; readonly elements: ElementList; readonly list: SchemaShape },
): Draft {
  const spot = listSpot(shapes, operation, list);
  const drafted = draft(shapes, candidate, { operation, action: "elements", spot });
  const contents = operation.requestBody?.contents;
  const isRead = operation.method === "GET";
  return {
    ...drafted,
    elements,
    isListOfOne: false,
    view: list.schema,
    requestContent: jsonContent(contents) ?? formContent(contents),
    envelope: envelopeOf(shapes, drafted.content, spot?.at ?? []),
    parameters: isRead ? parameterRoles(shapes, operation, { record: list, idKey: elements.key ?? "" }) : [],
    why: `the list ${elements.field} of the record`,
  };
}
