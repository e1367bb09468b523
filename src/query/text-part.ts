import { anyOf, meetsByText } from "./condition.ts";
import { defineOperator, type FieldValues, type Operator } from "./operator.ts";
import { isAscii } from "./pattern-literals.ts";
import type { Scalar } from "./query.ts";

interface PartDefinition<Name extends string> {
  readonly name: Name;
  readonly words: string;
  readonly opposite?: string;
  readonly value: string;
  readonly menu: Pick<Operator["menu"], "rank" | "hasOpposite">;
  /** Tests a text in lower case. */
  readonly hasPart: (part: string) => (lower: string) => boolean;
  /** The wildcards around the part in a pattern of LIKE. */
  readonly around: readonly [before: "" | "%", after: "" | "%"];
  readonly samples: (field: FieldValues) => readonly string[];
}

/** Defines an operator that looks for a part of a text, in any case. */
export function definePart<const Name extends string>(definition: PartDefinition<Name>): Operator<Name, "text"> {
  const { name, value, menu, hasPart, around, ...facts } = definition;
  const [isAtStart, isAtEnd] = [around[0] === "", around[1] === ""];
  const operator: Operator<Name, "text"> = defineOperator({
    ...facts,
    name,
    suffix: "known",
    operand: "text",
    operandName: "text",
    description: `is a string that ${facts.words} the text, in any case`,
    example: { field: "name", value },
    menu: { fits: "text", ...menu },
    index: "text",
    create: (path, values) => {
      const parts = values.map((one) => one.toLowerCase());
      const holdsLower = anyOf(parts.map(hasPart));
      const holds = (one: Scalar): boolean => holdsLower((one as string).toLowerCase());
      const literals = parts.map((part) => [part]);
      const pieces = literals.map((only) => (only.every(isAscii) ? { isAtStart, literals: only, isAtEnd } : undefined));
      return { operator: name, comparison: operator, path, values, holds, literals, pieces, isSlow: false };
    },
    meets: meetsByText,
    sql: (database, condition) => database.isLike(condition, ...around),
  });
  return operator;
}
