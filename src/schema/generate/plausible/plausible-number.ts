import { spacedWords } from "../../inference/field-names.ts";

/** The numbers that suit a field. */
export interface NumberForm {
  readonly least: number;
  readonly most: number;
  /** Digits behind the point, where there may be any. */
  readonly digits: number;
}

const BY_NAME: readonly (readonly [RegExp, NumberForm])[] = [
  [/(^| )(lat|latitude)$/, { least: -90, most: 90, digits: 4 }],
  [/(^| )(lon|lng|long|longitude)$/, { least: -180, most: 180, digits: 4 }],
  [/(^| )(revenue|turnover|budget|funding|capital)$/, { least: 1_000_000, most: 100_000_000, digits: 2 }],
  [/(^| )(salary|income|wage)$/, { least: 20_000, most: 200_000, digits: 2 }],
  [/(^| )(price|amount|cost|fee|total|subtotal|sum|balance|value)$/, { least: 1, most: 1000, digits: 2 }],
  [/(^| )(percent|percentage|progress|discount|completion)( complete)?$/, { least: 0, most: 100, digits: 1 }],
  [/(^| )(share|ratio|probability|rate)$/, { least: 0, most: 1, digits: 3 }],
  [/(^| )(rating|stars)$/, { least: 1, most: 5, digits: 1 }],
  [/(^| )age$/, { least: 18, most: 90, digits: 0 }],
  [/(^| )year$/, { least: 1990, most: 2026, digits: 0 }],
  [/(^| )month$/, { least: 1, most: 12, digits: 0 }],
  [/(^| )(day)$/, { least: 1, most: 28, digits: 0 }],
  [/(^| )hours?$/, { least: 0, most: 23, digits: 0 }],
  [/(^| )(minutes?|seconds?)$/, { least: 0, most: 59, digits: 0 }],
  [
    /(^| )(stock|inventory|quantity|qty|count|units|items|views|likes|votes|followers|visits)$/,
    { least: 0, most: 500, digits: 0 },
  ],
  [/(^| )(employees?|employee number|employee count|headcount|population)$/, { least: 10, most: 10_000, digits: 0 }],
  [/(^| )(weight)$/, { least: 0.1, most: 100, digits: 2 }],
  [/(^| )(width|height|length|depth|size|distance)$/, { least: 1, most: 500, digits: 1 }],
  [/(^| )(temperature)$/, { least: -20, most: 40, digits: 1 }],
  [/(^| )(port)$/, { least: 1024, most: 65_535, digits: 0 }],
  [/(^| )(priority|level|rank|position|order|score|floor)$/, { least: 1, most: 10, digits: 0 }],
];
const ANY: NumberForm = { least: 0, most: 1000, digits: 2 };

export function numberFormOf(name: string): NumberForm {
  return knownNumberForm(name) ?? ANY;
}

/** Undefined where the name says nothing. */
export function knownNumberForm(name: string): NumberForm | undefined {
  const words = spacedWords(name);
  return BY_NAME.find(([pattern]) => pattern.test(words))?.[1];
}
