import type { Ajv2020, Options, ValidateFunction } from "ajv/dist/2020.js";
import type { Json, JsonObject } from "../json.ts";
import type { Work } from "../slices.ts";
import { canonicalText } from "./canonical.ts";
import { FORMATS } from "./formats.ts";
import { compilePattern } from "./pattern.ts";
import { beginPatterns, TooCostly, testPattern } from "./pattern-test.ts";
import type { CollectionRules, Rules } from "./rules.ts";
import { type Violation, violationsFrom } from "./violation.ts";

export interface Judge {
  /** Finds the rules of the schema that a record breaks; empty if it keeps them all. At most 50. */
  (record: Json): readonly Violation[];
  /** Compiles the schema in advance; otherwise the first record and the first one that breaks a rule wait for it. */
  prepare(): Work<void>;
}

/** `uniqueItems` looks at this many elements. */
const MAX_UNIQUE_ITEMS = 1000;
/** Values times schemas that judge each: beyond it, only the first violation is looked for. */
const MAX_LISTED_WORK = 50_000;
/** Beyond it, a record is not judged. */
const MAX_WORK = 400_000;
const NONE: readonly Violation[] = [];

/** Creates the judge of each collection; the validator is loaded for it, and a schema compiled when it is first needed. */
export async function compileRules(rules: Rules): Promise<ReadonlyMap<string, Judge>> {
  const Validator = await loadValidator();
  return new Map([...rules].map(([name, one]) => [name, createJudge(one, Validator)]));
}

/** Whether a value passes the schema at a place of a collection's schema, which is a JSON pointer. */
export type PartJudge = (place: string, value: Json) => boolean;

const OWN_ID = "standin:rules";

/** Creates a judge of the parts of one schema; each is compiled when it is first needed. */
export async function compileParts({ schema }: CollectionRules): Promise<PartJudge> {
  const ajv = createValidator(await loadValidator(), {
    allErrors: needsAllErrors(schema),
    ownProperties: namesInherited(schema),
  });
  const id = typeof schema.$id === "string" ? schema.$id.replace(/#$/, "") : OWN_ID;
  ajv.addSchema({ ...schema, $id: id });
  const compiled = new Map<string, ValidateFunction>();
  return (place, value) => {
    let isValid = compiled.get(place);
    if (!isValid) {
      isValid = ajv.compile({ $ref: `${id}#${place.split("/").map(encodeURIComponent).join("/")}` });
      compiled.set(place, isValid);
    }
    try {
      beginPatterns();
      return isValid(value);
    } catch (thrown) {
      if (thrown instanceof TooCostly) return false;
      throw thrown;
    }
  };
}

async function loadValidator(): Promise<typeof Ajv2020> {
  const loaded = await import("ajv/dist/2020.js");
  // A bundle has the default export of a CommonJS module only.
  return loaded.Ajv2020 ?? (loaded.default as unknown as typeof loaded).Ajv2020;
}

function createJudge({ schema, complexity }: CollectionRules, Validator: typeof Ajv2020): Judge {
  const needsAll = needsAllErrors(schema);
  const mostValues = Math.floor((needsAll ? MAX_LISTED_WORK : MAX_WORK) / complexity);
  const mostListed = Math.floor(MAX_LISTED_WORK / complexity);
  const ownProperties = namesInherited(schema);
  let isValid: ValidateFunction | undefined;
  let listErrors: ValidateFunction | undefined;
  const compile = (allErrors: boolean): ValidateFunction =>
    createValidator(Validator, { allErrors, ownProperties }).compile(schema);
  const judge = (record: Json): readonly Violation[] => {
    const count = countValues(record, mostValues);
    if (count > mostValues) return [tooCostly(`has more than ${mostValues} values, too many to be judged.`)];
    try {
      isValid ??= compile(needsAll);
      beginPatterns();
      if (isValid(record)) return NONE;
      if (count > mostListed) return violationsFrom(isValid.errors ?? [], record);
      listErrors ??= compile(true);
      beginPatterns();
      listErrors(record);
      return violationsFrom(listErrors.errors ?? [], record);
    } catch (thrown) {
      if (thrown instanceof TooCostly) return [tooCostly(thrown.message)];
      if (thrown instanceof RangeError) return [tooCostly("is nested too deeply to be judged.")];
      throw thrown;
    }
  };
  return Object.assign(judge, {
    *prepare(): Work<void> {
      isValid ??= compile(needsAll);
      yield;
      // The engine compiles a function when it is first called.
      judge({});
      yield;
      listErrors ??= compile(true);
      yield;
      listErrors({});
    },
  });
}

/** Without `allErrors`, the validator skips the keywords after `prefixItems` where an array is shorter than that. */
function needsAllErrors(schema: JsonObject): boolean {
  return JSON.stringify(schema).includes('"prefixItems"');
}

/** Whether a schema names a field that every object inherits, such as `constructor`; only then it costs time to tell. */
function namesInherited(schema: Json): boolean {
  const text = JSON.stringify(schema);
  return Object.getOwnPropertyNames(Object.prototype).some((name) => text.includes(`"${name}"`));
}

function tooCostly(message: string): Violation {
  return { pointer: "", rule: "too-costly", message };
}

function createValidator(Validator: typeof Ajv2020, options: Options): Ajv2020 {
  const ajv = new Validator({
    ...options,
    // The rules were checked when they were read, with better messages than these.
    strict: false,
    validateSchema: false,
    meta: false,
    logger: false,
    multipleOfPrecision: 9,
    // Optimising the code takes three times as long as compiling it, and the engine does it anyway.
    code: { optimize: false, regExp: Object.assign(linearPattern, { code: "linearPattern" }) },
  });
  for (const [name, { test }] of Object.entries(FORMATS)) ajv.addFormat(name, test);
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    errors: true,
    validate: uniqueItems,
  });
  return ajv;
}

function linearPattern(source: string): { test(text: string): boolean; toString(): string } {
  const pattern = compilePattern(source);
  // The validator tells patterns apart by their text.
  return { test: (text) => testPattern(pattern, text), toString: () => source };
}

interface KeywordErrors {
  (isOn: boolean, elements: readonly Json[]): boolean;
  errors?: { keyword: string; message: string; params: { i: number; j: number } }[];
}

const uniqueItems: KeywordErrors = (isOn, elements) => {
  if (!isOn) return true;
  const seen = new Map<Json, number>();
  // Apart from texts that look like them.
  const seenObjects = new Map<Json, number>();
  const count = Math.min(elements.length, MAX_UNIQUE_ITEMS);
  for (let at = 0; at < count; at++) {
    const element = elements[at]!;
    const isObject = typeof element === "object" && element !== null;
    const key = isObject ? canonicalText(element) : element;
    const known = isObject ? seenObjects : seen;
    const before = known.get(key);
    if (before !== undefined) {
      uniqueItems.errors = [{ keyword: "uniqueItems", message: "", params: { i: at, j: before } }];
      return false;
    }
    known.set(key, at);
  }
  return true;
};

/** The values of one that may have others inside. */
function countInner(value: Json, limit: number): number {
  return typeof value === "object" && value !== null ? countValues(value, limit) : 1;
}

/** Counts the values inside, up to a little more than the limit. */
function countValues(value: Json, limit: number): number {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && count <= limit; at++) count += countInner(value[at]!, limit - count);
    return count;
  }
  for (const key in value) {
    count += countInner((value as JsonObject)[key]!, limit - count);
    if (count > limit) return count;
  }
  return count;
}
