import type { Operator } from "./operator.ts";
import { containsOperator } from "./operators/contains.ts";
import { endsWithOperator } from "./operators/ends-with.ts";
import { eqOperator } from "./operators/eq.ts";
import { gtOperator } from "./operators/gt.ts";
import { gteOperator } from "./operators/gte.ts";
import { inOperator } from "./operators/in.ts";
import { likeOperator } from "./operators/like.ts";
import { ltOperator } from "./operators/lt.ts";
import { lteOperator } from "./operators/lte.ts";
import { neOperator } from "./operators/ne.ts";
import { nearOperator } from "./operators/near.ts";
import { ninOperator } from "./operators/nin.ts";
import { nullOperator } from "./operators/null.ts";
import { startsWithOperator } from "./operators/starts-with.ts";

/** The operators of filters, in the order in which lists show them. */
export const OPERATORS = [
  eqOperator,
  neOperator,
  gtOperator,
  gteOperator,
  ltOperator,
  lteOperator,
  inOperator,
  ninOperator,
  likeOperator,
  containsOperator,
  startsWithOperator,
  endsWithOperator,
  nearOperator,
  nullOperator,
] as const;

export type KnownOperator = (typeof OPERATORS)[number];
export type OperatorName = KnownOperator["name"];

export const OPERATOR_NAMES: readonly OperatorName[] = OPERATORS.map(({ name }) => name);

const byName: ReadonlyMap<string, Operator> = new Map(OPERATORS.map((operator) => [operator.name, operator]));

export function operatorNamed(name: string): Operator | undefined {
  return byName.get(name);
}

/** The names of operators as alternatives of a pattern. */
export function namePattern(isMeant: (operator: Operator) => boolean = () => true): string {
  return OPERATORS.filter(isMeant)
    .map(({ name }) => name)
    .join("|");
}
