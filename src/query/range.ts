import { anyOf, meetsByElement, meetsByValue } from "./condition.ts";
import { defineOperator, type FieldValues, type Operator } from "./operator.ts";
import type { Scalar } from "./query.ts";

interface RangeDefinition<Name extends string> {
  readonly name: Name;
  /** "at least", which reads behind "is". */
  readonly words: string;
  readonly sign: string;
  readonly suffix: "always" | "known";
  readonly value: string;
  readonly rank: number;
  readonly isLower: boolean;
  readonly isStrict: boolean;
  /** 0.17.4: compares a stored number (or boolean, as 0 and 1) as a number, a stored text by its code units. */
  readonly within: (bound: string, limit: number) => (value: Scalar) => boolean;
  readonly samples: (field: FieldValues) => readonly string[];
  readonly otherSamples?: (field: FieldValues) => readonly string[];
}

/** Defines an operator that keeps the values on one side of a bound. */
export function defineRange<const Name extends string>(definition: RangeDefinition<Name>): Operator<Name, "value"> {
  const { name, words, value, rank, isLower, isStrict, within, ...facts } = definition;
  const operator: Operator<Name, "value"> = defineOperator({
    ...facts,
    name,
    operand: "value",
    words: `is ${words}`,
    description: `is ${words} the bound`,
    example: { field: "price", value },
    menu: { fits: "ordered", rank },
    index: "range",
    bound: { isLower, isStrict },
    create: (path, values) => {
      const holds = anyOf(values.map((bound) => within(bound, Number(bound))));
      return { operator: name, comparison: operator, path, values, holds, isSlow: false };
    },
    // The joined text of an array is no value of its own for the operators that 0.17 does not have.
    meets: isStrict ? meetsByElement : meetsByValue,
    sql: (database, condition) => database.isWithin(condition),
  });
  return operator;
}
