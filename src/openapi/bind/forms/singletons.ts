import { bindOperations } from "../bind-operations.ts";
import { spotsOf } from "../bodies/body-spots.ts";
import type { RecordSpot } from "../bodies/record-spots.ts";
import type { Candidate } from "../candidate.ts";
import type { Draft } from "../draft.ts";
import { type Group, type Groups, operationOf } from "../groups.ts";
import { freeIdKey } from "../ids/field-keys.ts";
import type { Drafted } from "../join.ts";
import type { Shapes } from "../schema-shape.ts";
import { segmentOf } from "./lists-at-wildcards.ts";

/** Of a spot whose name or loneliness speaks for it. */
const MIN_RANK = 2;

/** Paths that have one record, which is read and changed: `GET /settings` with `PUT /settings` or `PUT /settings/{id}`. */
export function findSingletons(shapes: Shapes, groups: Groups, drafted: readonly Drafted[]): Drafted[] {
  const bound = new Set(drafted.flatMap(({ drafts }) => drafts.map(({ operation }) => operation)));
  const isFree = ({ operations }: Group): boolean => operations.every((operation) => !bound.has(operation));
  return [...groups.all()].flatMap((group): Drafted[] => {
    const below = groups.itemBelow(group.key);
    const item = below && isFree(below) && sendsSame(shapes, group, below) ? below : undefined;
    const found = isFree(group) ? readSingleton(shapes, group, item) : undefined;
    if (!found) return [];
    const { candidate, drafts } = found;
    // `POST /users` that sends what `GET /user` does makes the current user.
    const others = groups.ofNoun(candidate.segment).filter((other) => other !== group && isFree(other));
    return [{ candidate, drafts: [...drafts, ...others.flatMap((other) => makingsOf(shapes, candidate, other))] }];
  });
}

/** Whether a path with an id sends the same record as that without one. */
function sendsSame(shapes: Shapes, group: Group, below: Group): boolean {
  const places = [group, below].map((one) => recordSpots(shapes, one, segmentOf(group.steps))[0]?.shape.schema.place);
  return places[0] !== undefined && places[0] === places[1];
}

function readSingleton(shapes: Shapes, group: Group, below: Group | undefined): Drafted | undefined {
  const { steps } = group;
  const last = steps.at(-1);
  const isChanged = [group, below].some((one) => operationOf(one, "PUT") ?? operationOf(one, "PATCH"));
  if (last?.kind !== "fixed" || !operationOf(group, "GET") || !isChanged) return undefined;
  for (const readSpot of recordSpots(shapes, group, last.text)) {
    const record = readSpot.shape;
    const candidate: Candidate = {
      segment: last.text,
      steps,
      idKey: freeIdKey([record]),
      hidesId: true,
      form: "single",
      record,
      list: undefined,
      item: group,
      listSpot: undefined,
      readSpot,
    };
    const named = below ? changesOf(shapes, candidate, below) : [];
    const drafts = [
      ...changesOf(shapes, candidate, group),
      ...named.map((draft) => ({ ...draft, idParameter: draft.operation.path.names.at(-1) })),
    ];
    if (drafts.some(({ action }) => action !== "read")) return { candidate, drafts };
  }
  return undefined;
}

/** The whole body comes last: `{ "user": { ... } }` is what is around the record. */
function recordSpots(shapes: Shapes, group: Group, segment: string): readonly RecordSpot[] {
  const spots = spotsOf(shapes, operationOf(group, "GET"), segment);
  if (typeof spots === "string" || !spots || spots[0]?.isList) return [];
  return spots
    .filter(({ isList, isNamed, shape, rank }) => !isList && isNamed && rank >= MIN_RANK && shape.properties.size > 0)
    .sort((a, b) => b.at.length - a.at.length);
}

function changesOf(shapes: Shapes, candidate: Candidate, item: Group): Draft[] {
  return bindOperations(shapes, { ...candidate, item }).flatMap((outcome) =>
    "draft" in outcome && outcome.draft.action !== "remove" ? [outcome.draft] : [],
  );
}

function makingsOf(shapes: Shapes, candidate: Candidate, group: Group): Draft[] {
  const post = operationOf(group, "POST");
  if (!post || group.operations.length > 1) return [];
  return changesOf(shapes, candidate, group).filter(({ view }) => view?.place === candidate.record.schema.place);
}
