import { StandinError } from "../../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../base/json/json.ts";
import type { FieldOf } from "./filter-expression.ts";
import { combined, conditionOn, operatorMeant } from "./filter-operators.ts";

const MAX_LEVELS = 15;
const MAX_LENGTH = 10_000;
/** Names of the parts of conditions such as `{ "field": "name", "op": "eq", "value": "Ada" }`. */
const FIELDS = ["field", "name", "property", "attribute", "column", "col", "key", "path", "id"];
const OPERATORS = [
  "operator",
  "op",
  "opr",
  "condition",
  "conditiontype",
  "comparison",
  "comparator",
  "operation",
  "matchmode",
];
const VALUES = ["value", "values", "val", "operand"];
/** Names of lists of conditions, as in `{ "logic": "or", "filters": [...] }`. */
const GROUPS = ["filters", "conditions", "rules", "criteria", "predicates", "where", "filter", "children"];
const LOGIC = ["logic", "operator", "combinator", "conjunction", "type", "condition", "composition"];

/**
 * Reads conditions in JSON: `{ "name": "Ada", "total": { "$gt": 5 }, "$or": [...] }`, and lists such as
 * `[{ "field": "name", "operator": "eq", "value": "Ada" }]`. Conditions on fields that records do not have are left out.
 */
export function readFilterObject(text: string, name: string, fieldOf: FieldOf): JsonObject | undefined {
  const refusal = (reason: string): StandinError =>
    new StandinError(
      "QUERY_INVALID",
      `${name} cannot be read: ${reason}. Send conditions as JSON: {"name":"Ada","total":{"gt":5}}.`,
    );
  if (text.length > MAX_LENGTH) throw refusal(`it has ${text.length} characters; at most ${MAX_LENGTH} are allowed`);
  const json = parsed(text);
  if (typeof json !== "object" || json === null) throw refusal("it is not JSON");
  return new ObjectReader(fieldOf, refusal).read(json, 1);
}

class ObjectReader {
  readonly #fieldOf: FieldOf;
  readonly #refusal: (reason: string) => StandinError;

  constructor(fieldOf: FieldOf, refusal: (reason: string) => StandinError) {
    this.#fieldOf = fieldOf;
    this.#refusal = refusal;
  }

  read(json: Json, level: number): JsonObject | undefined {
    if (level > MAX_LEVELS) throw this.#refusal(`it is nested deeper than ${MAX_LEVELS} levels`);
    if (Array.isArray(json))
      return combined(
        "and",
        json.map((one) => this.read(one, level + 1)),
      );
    if (!isJsonObject(json)) throw this.#refusal(`${JSON.stringify(json)} is no condition`);
    return this.#group(json, level) ?? this.#described(json) ?? this.#members(json, "", level);
  }

  /** `{ "logic": "or", "filters": [...] }` */
  #group(json: JsonObject, level: number): JsonObject | undefined {
    const list = partNamed(json, GROUPS);
    if (!Array.isArray(list) && !(isJsonObject(list) && this.#fieldOf("where") === undefined)) return undefined;
    const logic = String(partNamed(json, LOGIC) ?? "and").toLowerCase();
    const parts = (Array.isArray(list) ? list : [list]).map((one) => this.read(one, level + 1));
    return combined(logic === "or" ? "or" : "and", parts) ?? {};
  }

  /** `{ "field": "name", "operator": "eq", "value": "Ada" }`, `{ "name": "total", "gte": 5 }` */
  #described(json: JsonObject): JsonObject | undefined {
    const field = partNamed(json, FIELDS);
    if (typeof field !== "string") return undefined;
    const sign = partNamed(json, OPERATORS);
    const value = partNamed(json, VALUES);
    // A record may have a field of that name itself.
    const isField = this.#fieldOf(field) === undefined && !("field" in json);
    if (isField || (typeof sign === "string" && !operatorMeant(sign))) return undefined;
    if (value !== undefined || typeof sign === "string")
      return this.#test(field, String(sign ?? "eq"), value ?? null) ?? {};
    const [operator, operand] = Object.entries(json).find(([key]) => operatorMeant(key) && !FIELDS.includes(key)) ?? [];
    return operator === undefined || operand === undefined || operand === null
      ? undefined
      : (this.#test(field, operator, operand) ?? {});
  }

  #members(json: JsonObject, path: string, level: number): JsonObject | undefined {
    return combined(
      "and",
      Object.entries(json).map(([key, value]) => this.#member([key, value], path, level)),
    );
  }

  #member([key, value]: readonly [string, Json], path: string, level: number): JsonObject | undefined {
    const logic = key.replace(/^\$/, "").toLowerCase();
    if ((logic === "and" || logic === "or" || logic === "nor") && Array.isArray(value)) {
      const found = combined(
        logic === "and" ? "and" : "or",
        value.map((one) => this.read(one, level + 1)),
      );
      return logic === "nor" && found ? { not: found } : found;
    }
    if (logic === "not" && isJsonObject(value)) {
      const found = path === "" ? this.read(value, level + 1) : this.#members(value, path, level + 1);
      return found && { not: found };
    }
    const operator = path === "" ? undefined : operatorMeant(key);
    if (operator) return this.#test(path, key, value);
    const inner = path === "" ? key : `${path}.${key}`;
    // `"enabled": [{ "operator": "=", "value": true }]`
    if (Array.isArray(value) && value.length > 0 && value.every(isJsonObject)) {
      return combined(
        "and",
        value.map((one) => this.#described({ ...one, field: key }) ?? this.#members(one, inner, level + 1)),
      );
    }
    if (!isJsonObject(value)) return this.#test(inner, "eq", value);
    if (level > MAX_LEVELS) throw this.#refusal(`it is nested deeper than ${MAX_LEVELS} levels`);
    return this.#members(value, inner, level + 1);
  }

  #test(name: string, word: string, value: Json): JsonObject | undefined {
    const operator = operatorMeant(word);
    if (operator === undefined) throw this.#refusal(`there is no operator "${word}"`);
    const field = this.#fieldOf(name);
    if (field === undefined) return undefined;
    const values = Array.isArray(value) ? value : [value];
    if (values.some((one) => isJsonObject(one) || Array.isArray(one)))
      throw this.#refusal(`"${name}" takes a text, a number or a boolean`);
    return conditionOn(field, operator, values);
  }
}

function partNamed(json: JsonObject, names: readonly string[]): Json | undefined {
  const key = Object.keys(json).find((one) => names.includes(one.toLowerCase().replace(/[^a-z]/g, "")));
  return key === undefined ? undefined : json[key];
}

/** JSON, also as JavaScript writes its texts: `{'name':'Ada'}`. */
function parsed(text: string): Json | undefined {
  for (const form of [text, text.replaceAll("'", '"')]) {
    try {
      return parseJson(form);
    } catch {
      // The next form, if there is one.
    }
  }
  return undefined;
}
