import { isJsonObject } from "../../base/json/json.ts";
import type { Operation, Parameter } from "../read/api-document.ts";
import { type BoundCollection, type FieldKey, isBelowRecord, type ParentKey } from "./binding.ts";
import { isSentBeside } from "./bodies/sent-beside.ts";
import type { Draft } from "./draft.ts";
import { otherNamesOf } from "./forms/names-in-path.ts";
import { ownKeyOf } from "./ids/own-keys.ts";
import { type Ancestor, ancestorsOf, type IsSent, ParentFields } from "./ids/parent-keys.ts";
import { codeTold } from "./ids/told-key.ts";
import { type Drafted, unversioned } from "./join.ts";
import type { ParentNames } from "./parent-names.ts";
import { type PathStep, pathKey, pathStepsOf, pathText } from "./path-shape.ts";
import type { Shapes } from "./schema-shape.ts";

/** Whether a wildcard is one of a few given words, as kinds are and ids are not. */
function isKind(shapes: Shapes, parameter: Parameter | undefined): boolean {
  const value = parameter?.schema && shapes.of(parameter.schema).schema.value;
  return isJsonObject(value) && Array.isArray(value.enum);
}

/** A collection whose operations know their parents. */
export function finishCollection(
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
