import type { Ajv2020, Options } from "ajv/dist/2020.js";
import { canonicalText } from "../../base/json/equality.ts";
import type { Json, JsonObject } from "../../base/json/json.ts";
import { FORMATS } from "./formats.ts";
import { compilePattern, testPattern } from "./pattern.ts";

/** `uniqueItems` looks at this many elements. */
const MAX_UNIQUE_ITEMS = 1000;

/** Creates a validator whose patterns and formats are linear in the length of a text. */
export function createValidator(Validator: typeof Ajv2020, options: Options): Ajv2020 {
  const ajv = new Validator({
    ...options,
    // The rules were checked when they were read, with better messages than these.
    strict: false,
    validateSchema: false,
    meta: false,
    logger: false,
    // Violations have their own words.
    messages: false,
    multipleOfPrecision: 9,
    // Optimising the code takes three times as long as compiling it, and the engine does it anyway.
    code: { optimize: false, regExp: Object.assign(linearPattern, { code: "linearPattern" }) },
  });
  for (const [name, { test }] of FORMATS) ajv.addFormat(name, test);
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

/** Without `allErrors`, the validator skips the keywords after `prefixItems` where an array is shorter than that. */
export function needsAllErrors(schema: JsonObject): boolean {
  return JSON.stringify(schema).includes('"prefixItems"');
}

/** Whether a schema names a field that every object inherits, such as `constructor`; only then it costs time to tell. */
export function namesInherited(schema: Json): boolean {
  const text = JSON.stringify(schema);
  return Object.getOwnPropertyNames(Object.prototype).some((name) => text.includes(`"${name}"`));
}
