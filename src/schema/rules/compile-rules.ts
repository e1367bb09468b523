import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import type { Json } from "../../base/json/json.ts";
import type { Work } from "../../base/slices.ts";
import { beginPatterns } from "./pattern.ts";
import type { CollectionRules, Rules } from "./rules.ts";
import { createValidator, namesInherited, needsAllErrors } from "./validator.ts";
import { judgeWithin, type Violation } from "./violation.ts";

export interface RecordJudge {
  /** Finds the rules of the schema that a record breaks; empty if it keeps them all. At most 50. */
  (record: Json): readonly Violation[];
  /** Compiles the schema in advance; otherwise the first record and the first one that breaks a rule wait for it. */
  prepare(): Work<void>;
}

/** Values times schemas that apply to each: beyond it, only the first violation is looked for. */
const MAX_LISTED_WORK = 50_000;
/** Beyond it, a record is not judged. */
const MAX_WORK = 400_000;

/** Creates the judge of each collection; the validator is loaded for it, and a schema compiled when it is first needed. */
export async function compileRules(rules: Rules): Promise<ReadonlyMap<string, RecordJudge>> {
  const Validator = (await import("./ajv.ts")).ajv.Ajv2020;
  return new Map([...rules].map(([name, one]) => [name, createJudge(one, Validator)]));
}

export async function compileRule(rules: CollectionRules): Promise<RecordJudge> {
  return createJudge(rules, (await import("./ajv.ts")).ajv.Ajv2020);
}

function createJudge({ schema, complexity }: CollectionRules, Validator: typeof Ajv2020): RecordJudge {
  const needsAll = needsAllErrors(schema);
  const mostValues = Math.floor((needsAll ? MAX_LISTED_WORK : MAX_WORK) / complexity);
  const mostListed = Math.floor(MAX_LISTED_WORK / complexity);
  const ownProperties = namesInherited(schema);
  let isValid: ValidateFunction | undefined;
  let listErrors: ValidateFunction | undefined;
  const compile = (allErrors: boolean): ValidateFunction =>
    createValidator(Validator, { allErrors, ownProperties }).compile(schema);
  const errorsOf = (record: Json, count: number): ValidateFunction["errors"] => {
    isValid ??= compile(needsAll);
    if (isValid(record)) return undefined;
    if (count > mostListed) return isValid.errors;
    listErrors ??= compile(true);
    beginPatterns();
    listErrors(record);
    return listErrors.errors;
  };
  const violationsOf = (record: Json): readonly Violation[] => judgeWithin(mostValues, record, errorsOf);
  return Object.assign(violationsOf, {
    *prepare(): Work<void> {
      isValid ??= compile(needsAll);
      yield;
      // The engine compiles a function when it is first called.
      violationsOf({});
      yield;
      listErrors ??= compile(true);
      yield;
      listErrors({});
    },
  });
}
