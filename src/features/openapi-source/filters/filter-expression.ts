import type { Json, JsonObject } from "../../../base/json/json.ts";
import { AND, NOT, OR, operandAt, operandsAt, operatorAt, valuesUntil } from "./filter-operands.ts";
import { combined, conditionOn, operatorMeant } from "./filter-operators.ts";
import { FilterScanner, type FilterToken } from "./filter-scanner.ts";

/** The path of the field that a name in an expression means; undefined where records have none. */
export type FieldOf = (name: string) => string | undefined;

const MAX_LEVELS = 15;
/** `==` and `=gt=` are signs of RSQL and FIQL, where a comma is "or". */
const OF_RSQL = /[^=!<>]==[^=]|=[a-z]{2,12}=/;

/**
 * Reads conditions on fields as filter languages write them: `name eq 'Ada' and total gt 5` (OData, SCIM),
 * `name = "Ada" AND total > 5` (SQL, CEL and their kin), `name==Ada;total=gt=5` (RSQL, FIQL), `contains(name,'A')`,
 * `name.startsWith("A")`, `name:Ada,total:>5`, `created:2026..2027`. Conditions on fields that records do not have are left out.
 */
export function readExpression(text: string, name: string, fieldOf: FieldOf): JsonObject | undefined {
  return new ExpressionReader(new FilterScanner(text, name), fieldOf).read();
}

class ExpressionReader {
  readonly #pieces: FilterScanner;
  readonly #fieldOf: FieldOf;
  readonly #isRsql: boolean;

  constructor(pieces: FilterScanner, fieldOf: FieldOf) {
    this.#pieces = pieces;
    this.#fieldOf = fieldOf;
    this.#isRsql = OF_RSQL.test(pieces.text);
  }

  read(): JsonObject | undefined {
    const found = this.#anyOf(1);
    if (this.#pieces.peek().kind !== "end") throw this.#pieces.refusal();
    return found;
  }

  #anyOf(level: number): JsonObject | undefined {
    if (level > MAX_LEVELS) throw this.#pieces.refusal();
    const parts = [this.#allOf(level)];
    while (this.#pieces.take(...OR) || (this.#isRsql && this.#pieces.take(","))) parts.push(this.#allOf(level));
    return combined("or", parts);
  }

  #allOf(level: number): JsonObject | undefined {
    const parts = [this.#one(level)];
    for (;;) {
      const isTold = this.#pieces.take(...AND) || (!this.#isRsql && this.#pieces.take(","));
      const { kind, text } = this.#pieces.peek();
      const isEnd = kind === "end" || [")", "]", ",", ...OR].includes(text.toLowerCase());
      if (!isTold && isEnd) return combined("and", parts);
      // `a:1,` ends a list that serialisers have written.
      if (isTold && kind === "end") return combined("and", parts);
      parts.push(this.#one(level));
    }
  }

  #one(level: number): JsonObject | undefined {
    if (level > MAX_LEVELS) throw this.#pieces.refusal();
    if (this.#pieces.take(...NOT)) return negated(this.#one(level + 1));
    if (this.#pieces.take("(")) {
      const inner = this.#anyOf(level + 1);
      this.#pieces.expect(")");
      return inner;
    }
    const name = this.#pieces.next();
    if (name.kind === "end" || name.kind === "sign") throw this.#pieces.refusal(name.at);
    const { kind, text, isJoined } = this.#pieces.peek();
    if (kind === "sign" && text === "(" && isJoined) return this.#call(name, level);
    if (kind === "sign" && text === "[" && name.kind === "word") return this.#within(name.text, level);
    const isMinus = name.text.startsWith("-");
    const found = this.#comparison(isMinus ? name.text.slice(1) : name.text);
    return isMinus ? negated(found) : found;
  }

  /** `contains(name,'A')`, `and(...)`, `name.startsWith('A')`, `tags/any(t: t eq 'x')`, `tolower(name) eq 'ada'`. */
  #call({ text, at }: FilterToken, level: number): JsonObject | undefined {
    this.#pieces.expect("(");
    const [, owner, method = text] = /^(.+)[./](\w+)$/.exec(text) ?? [];
    const verb = method.toLowerCase();
    if (verb === "and" || verb === "or" || verb === "not") return this.#combined(verb, level);
    if (owner !== undefined && (verb === "any" || verb === "all")) return this.#anyElement(owner, level);
    const operator = operatorMeant(verb);
    if (owner !== undefined && operator) {
      const values = valuesUntil(this.#pieces, ")");
      return this.#test(owner, operator, values);
    }
    const inner = this.#operand();
    if (operator && this.#pieces.take(",")) {
      const values = valuesUntil(this.#pieces, ")");
      // `substringof('A',name)` has the field behind the value.
      const isTurned = inner.kind === "text" && values.length === 1;
      const result = isTurned
        ? this.#test(String(values[0]), operator, [inner.text])
        : this.#test(inner.text, operator, values);
      // `contains(name,'A') eq true`
      return this.#pieces.take("eq") ? (operandAt(this.#pieces) === false ? negated(result) : result) : result;
    }
    this.#pieces.expect(")");
    if (operator === "present" || operator === "absent") return this.#test(inner.text, operator, []);
    if (inner.kind !== "word") throw this.#pieces.refusal(at);
    // `tolower(name) eq 'ada'` compares the name.
    return this.#comparison(inner.text, /lower|upper/.test(verb));
  }

  #combined(verb: "and" | "or" | "not", level: number): JsonObject | undefined {
    const parts: (JsonObject | undefined)[] = [];
    do parts.push(this.#one(level + 1));
    while (this.#pieces.take(","));
    this.#pieces.expect(")");
    return verb === "not" ? negated(combined("and", parts)) : combined(verb, parts);
  }

  /** `lines/any(l: l/sku eq 'x')` */
  #anyElement(owner: string, level: number): JsonObject | undefined {
    if (this.#pieces.take(")")) return this.#test(owner, "present", []);
    const variable = this.#pieces.next().text;
    if (!this.#pieces.take(":")) throw this.#pieces.refusal();
    const inside = new ExpressionReader(this.#pieces, (name) => {
      const member = name === variable ? "" : name.startsWith(`${variable}/`) ? name.slice(variable.length) : undefined;
      return member === undefined ? undefined : this.#fieldOf(owner + member);
    });
    const found = inside.#anyOf(level + 1);
    this.#pieces.expect(")");
    return found;
  }

  /** `emails[type eq "work"]` */
  #within(owner: string, level: number): JsonObject | undefined {
    this.#pieces.expect("[");
    const inside = new ExpressionReader(this.#pieces, (name) => this.#fieldOf(`${owner}.${name}`));
    const found = inside.#anyOf(level + 1);
    this.#pieces.expect("]");
    return found;
  }

  #comparison(name: string, isCaseless = false): JsonObject | undefined {
    const sign = operatorAt(this.#pieces);
    if (sign === undefined) {
      // A flag alone: `active and total gt 5`.
      const { kind, text } = this.#pieces.peek();
      const isEnd = kind === "end" || [...AND, ...OR, ")", "]", ","].includes(text.toLowerCase());
      const field = this.#fieldOf(name);
      if (!isEnd || field === undefined) throw this.#pieces.refusal();
      return conditionOn(field, "eq", [true]);
    }
    if (sign.operator === "present" || sign.operator === "absent") {
      const [isTold] =
        this.#pieces.peek().kind === "word" && /^(?:true|false)$/i.test(this.#pieces.peek().text)
          ? [operandAt(this.#pieces)]
          : [];
      return this.#test(name, sign.operator, isTold === undefined ? [] : [isTold]);
    }
    const { operator, values } = operandsAt(this.#pieces, sign.operator, this.#isRsql);
    const isText = isCaseless && operator === "eq" && typeof values[0] === "string";
    return this.#test(name, isText ? "contains" : operator, values);
  }

  /** `name`, also in `tolower(name)`. */
  #operand(): FilterToken {
    const token = this.#pieces.next();
    if (token.kind === "sign" || token.kind === "end") throw this.#pieces.refusal(token.at);
    const { text, isJoined } = this.#pieces.peek();
    if (token.kind !== "word" || text !== "(" || !isJoined) return token;
    this.#pieces.expect("(");
    const inner = this.#pieces.next();
    this.#pieces.expect(")");
    return inner;
  }

  #test(name: string, operator: string, values: readonly Json[]): JsonObject | undefined {
    const field = this.#fieldOf(name);
    return field === undefined ? undefined : conditionOn(field, operator, values);
  }
}

function negated(condition: JsonObject | undefined): JsonObject | undefined {
  return condition && { not: condition };
}
