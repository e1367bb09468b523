import { messageOf, StandinError } from "../base/errors.ts";
import { isJsonObject, type Json, parseJson } from "../base/json/json.ts";
import { negate } from "./filter.ts";
import type { FilterReader } from "./filter-reader.ts";
import type { Operator } from "./operator.ts";
import { operatorNamed } from "./operator-table.ts";
import { eqOperator } from "./operators/eq.ts";
import { inOperator } from "./operators/in.ts";
import type { Filter } from "./query.ts";

const MAX_LEVELS = 20;
/** Longer texts would take too long to parse in one turn. */
const MAX_LENGTH = 1_000_000;
const EXAMPLE = '{"or":[{"price":{"lt":10}},{"name":{"contains":"lamp"}}]}';

/** Parses `_where`: conditions as JSON, in the form of json-server 1.0, with `and` and `not` beside its `or`. */
export function parseWhere(text: string, reader: FilterReader): Filter {
  if (text.length > MAX_LENGTH) {
    throw refusal(`it has ${text.length} characters; at most ${MAX_LENGTH} are allowed.`);
  }
  let json: Json;
  try {
    json = parseJson(text);
  } catch (thrown) {
    throw refusal(`not valid JSON (${messageOf(thrown)}). Example: _where=${EXAMPLE}`);
  }
  return new WhereReader(reader).read(json, "", 1);
}

class WhereReader {
  readonly #reader: FilterReader;

  constructor(reader: FilterReader) {
    this.#reader = reader;
  }

  /** Reads an object whose keys are fields below `path`, operators and combinations; all of them must be met. */
  read(json: Json, path: string, level: number): Filter {
    if (!isJsonObject(json)) throw refusal(`expected an object with conditions. Example: _where=${EXAMPLE}`);
    if (level > MAX_LEVELS) throw refusal(`it is nested deeper than ${MAX_LEVELS} levels.`);
    const parts = Object.entries(json).map(([key, value]) => this.#entry(key, value, path, level));
    const [only, other] = parts;
    return only && !other ? only : { operator: "and", parts };
  }

  #entry(key: string, value: Json, path: string, level: number): Filter {
    const inner = path === "" ? key : `${path}.${key}`;
    // A field of that name takes precedence.
    const isField = (): boolean => this.#reader.has(inner);
    if ((key === "or" || key === "and") && Array.isArray(value) && !isField()) {
      return { operator: key, parts: value.map((part) => this.read(part, path, level + 1)) };
    }
    if (key === "not" && isJsonObject(value) && !isField()) return negate(this.read(value, path, level + 1));
    const name = key.startsWith("!") ? key.slice(1) : key;
    const operator = path === "" ? undefined : operatorNamed(name);
    if (operator && !isField()) return this.#condition({ operator, isNegated: name !== key, path }, value);
    if (isJsonObject(value)) return this.read(value, inner, level + 1);
    const plain = Array.isArray(value) ? inOperator : eqOperator;
    return this.#condition({ operator: plain, isNegated: false, path: inner }, value);
  }

  #condition(target: { operator: Operator; isNegated: boolean; path: string }, operand: Json): Filter {
    return this.#reader.byOperand({ ...target, parameter: `_where ${target.path}:${target.operator.name}` }, operand);
  }
}

function refusal(reason: string): StandinError {
  return new StandinError("QUERY_INVALID", `_where: ${reason}`);
}
