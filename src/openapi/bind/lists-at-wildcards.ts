import { isJsonObject } from "../../base/json/json.ts";
import { bodySchema, jsonContent, successOf } from "./bodies.ts";
import { ALIKE, spotsOf } from "./candidate.ts";
import { type Group, type Groups, operationOf } from "./groups.ts";
import { findIdKey } from "./id-key.ts";
import { likeness, type RecordSpot } from "./record-spots.ts";
import type { Shapes } from "./schema-shape.ts";

/** Whether a path that looks like that of a record lists others: `/orders/{type}` those of `/orders/{type}/{number}`. */
export function isListAtWildcard(shapes: Shapes, groups: Groups, group: Group): boolean {
  const { steps, key } = group;
  const last = steps.at(-1);
  const below = last?.kind === "wildcard" ? groups.itemBelow(key) : undefined;
  if (last?.kind !== "wildcard" || !below) return false;
  const segment = segmentOf(steps);
  const [listed, read] = [spotsAt(shapes, group, segment), spotsAt(shapes, below, segment)];
  const records = read.filter(({ isList, isNamed }) => !isList && isNamed);
  const isListed = listed
    .filter(({ isList, isNamed, at }) => isList && isNamed && at.length <= 1)
    .some((list) => records.some(({ shape }) => likeness(list.shape, shape) >= ALIKE));
  // A record may have a list of its parts.
  const body = listed.find(({ at, isList }) => at.length === 0 && !isList);
  return isListed && !(body && findIdKey(shapes, [body.shape], { parameter: last.name, segment }) !== undefined);
}

/** Whether a path below a list sends it for one of the values that its wildcard may have: `/reports/{kind}` of `/reports`. */
export function isSameList(shapes: Shapes, list: Group | undefined, { steps, operations }: Group): boolean {
  const last = steps.at(-1);
  const [one, ...others] = operations;
  const all = operationOf(list, "GET");
  if (last?.kind !== "wildcard" || one?.method !== "GET" || others.length > 0 || !all) return false;
  const schema = one.parameters.find(({ name, in: at }) => at === "path" && name === last.name)?.schema;
  const value = schema && shapes.of(schema).schema.value;
  if (!isJsonObject(value) || !Array.isArray(value.enum)) return false;
  const [body, whole] = [one, all].map((operation) => bodySchema(jsonContent(successOf(operation)?.contents)));
  return body !== undefined && whole !== undefined && shapes.of(body).schema.place === shapes.of(whole).schema.place;
}

/** The last fixed segment of a path. */
export function segmentOf(steps: Group["steps"]): string {
  const last = steps.findLast((step) => step.kind === "fixed");
  return last?.kind === "fixed" ? last.text : "";
}

function spotsAt(shapes: Shapes, group: Group, segment: string): readonly RecordSpot[] {
  const spots = spotsOf(shapes, operationOf(group, "GET"), segment);
  return typeof spots === "string" || !spots ? [] : spots;
}
