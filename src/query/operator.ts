import type { JsonObject } from "../base/json/json.ts";
import type { Path } from "./path.ts";
import type { Comparison, Filter, Order } from "./query.ts";

/** Operands: one value of the field's type, a list of such values, a text, or `true` and `false`. */
export type OperandKind = "value" | "list" | "text" | "flag";

/** Fields: of any kind, with an order (numbers and dates), of texts, of objects. */
export type FieldFit = "any" | "ordered" | "text" | "object";

/** The values that records have in a field, for requests that find something. */
export interface FieldValues {
  /** Distinct, in their order. */
  readonly numbers: readonly number[];
  /** Distinct and sorted. */
  readonly texts: readonly string[];
  readonly booleans: readonly boolean[];
  readonly objects: readonly JsonObject[];
  /** Whether some record has no value there. */
  readonly isSparse: boolean;
}

/** All facts about one operator of filters: `price:gt=10`. Every list of operators is made from these. */
export interface Operator<Name extends string = string, Operand extends OperandKind = OperandKind> extends Comparison {
  readonly name: Name;
  readonly operand: Operand;
  /** Reads between a field and its operand: "is at least". */
  readonly words: string;
  /** Completes "keeps a record if a value at the path". */
  readonly description: string;
  readonly example: { readonly field: "id" | "price" | "name" | "headquarter"; readonly value: string };
  /** The fields that menus offer it for, and its place there; 0 for none. */
  readonly menu: { readonly fits: FieldFit; readonly rank: number; readonly hasOpposite?: true };
  /** Creates the condition; throws QUERY_INVALID on a bad operand. `parameter` is the name that messages give it. */
  readonly create: (path: Path, values: readonly string[], parameter: string) => Filter;
  /** Operands that find something in a field: first those to try, then others for when none of these does. */
  readonly samples: (field: FieldValues) => readonly string[];
  readonly otherSamples: (field: FieldValues) => readonly string[];
  /** Also written behind a `_`: always, as in 0.17, or where the data leave no doubt. */
  readonly suffix: "always" | "known" | undefined;
  /** The sign that stands for the words. */
  readonly sign: string | undefined;
  /** The words of the opposite, where "not" before them would not do. */
  readonly opposite: string | undefined;
  /** The name of the operand, and of the operator itself in languages where its own name would not read well. */
  readonly operandName: string;
  readonly methodName: string | undefined;
  /** No value may be equal, however many are given. */
  readonly isExclusion: boolean;
  /** The values that records are sorted by in `_sort=field:operator(argument)`; throws QUERY_INVALID on a bad argument. */
  readonly order: ((path: Path, argument: string) => Order) | undefined;
}

const DEFAULTS = {
  otherSamples: () => [],
  suffix: undefined,
  sign: undefined,
  opposite: undefined,
  operandName: "value",
  methodName: undefined,
  index: undefined,
  bound: undefined,
  isLookup: false,
  isExclusion: false,
  order: undefined,
} satisfies Partial<Operator>;

type Optional = keyof typeof DEFAULTS;
type Definition<Name extends string, Operand extends OperandKind> = Omit<Operator<Name, Operand>, Optional> &
  Partial<Pick<Operator, Optional>>;

/** Hot path: all operators have the same members, in the same order. */
export function defineOperator<const Name extends string, const Operand extends OperandKind>(
  definition: Definition<Name, Operand>,
): Operator<Name, Operand> {
  const { name, operand, words, description, example, menu, create, meets, sql, samples, ...others } = definition;
  const required = { name, operand, words, description, example, menu, create, meets, sql, samples };
  return { ...required, ...DEFAULTS, ...others };
}
