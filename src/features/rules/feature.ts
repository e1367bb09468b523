import type { OptionTable } from "../../base/option.ts";
import type { Service } from "../../http/contract.ts";
import { defineFeature } from "../feature.ts";

const OPTIONS = {
  rules: {
    name: "rules",
    type: "string or object",
    placeholder: "<file>",
    help: "Rules that records must meet: a JSON Schema for each collection",
  },
} as const satisfies OptionTable;

/** Validation: writes that would leave a record which breaks a rule are refused. */
export const rulesFeature = defineFeature({
  name: "rules",
  options: OPTIONS,
  isOn: ({ rules }) => rules !== undefined,
  async check({ rules }, { place }) {
    return (await import("./open-rules.ts")).readRecordRules(rules!, place);
  },
  prepare: (data, rules) => ({ ...data, options: { ...data.options, rules } }),
  async open(context) {
    return (await import("./open-rules.ts")).openRules(context);
  },
});

/** The settings of the data that programs and plugins use: how records are made, and what a query may cost. */
export function makingOf(service: Service, seed?: number) {
  return {
    rules: () => service.offer(rulesFeature)?.rules,
    foreignKeySuffix: service.settings.foreignKeySuffix,
    collections: service.collections,
    queryBudgetMs: service.settings.queryBudgetMs,
    seed,
  };
}
