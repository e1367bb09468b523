import { isJsonObject, type JsonObject } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { resolve } from "../../base/platform/files.ts";
import { inBackground } from "../../base/timers.ts";
import type { OpenFeature } from "../../http/contract.ts";
import { loadRules } from "../../schema/rules/read-rules.ts";
import type { RuleBook } from "../../schema/rules/rule-book.ts";
import type { Store } from "../../store/store.ts";
import type { FeatureContext } from "../feature.ts";
import { JudgingRules } from "./judge-edits.ts";

/** How long after the start the data is judged: the first requests come first. */
const JUDGE_DATA_AFTER_MS = 500;

/** A larger schema takes so long to compile that no request should wait for it. */
const MAX_COMPILED_LATER = 100;

type Context = FeatureContext<{ readonly rules: string | JsonObject | undefined }, JudgingRules>;

/** Reads the rules that stores judge writes by. */
export function readRecordRules(given: string | JsonObject, place: string): JudgingRules {
  return new JudgingRules(loadRules(given, `${place}: rules`));
}

/** Follows the rules file, and warns of data that breaks the rules. */
export async function openRules({
  options,
  service,
  checked: rules,
}: Context): Promise<OpenFeature & { readonly offer: RuleBook }> {
  if ([...rules.rules.values()].some(({ size }) => size > MAX_COMPILED_LATER)) await rules.prepare();
  const { reporter, store } = service;
  const file = typeof options.rules === "string" ? options.rules : undefined;
  let isClosed = false;
  const judgeData = async (): Promise<void> => {
    const { brokenRules } = await import("./broken-rules.ts");
    const broken = await brokenRules(store, rules, () => isClosed);
    if (isClosed) return;
    rules.broken = new Map(broken.map(({ name, records }) => [name, records]));
    for (const { warning } of broken) reporter.warn(warning);
  };
  const judgeSoon = (): void => {
    // Data that cannot be read now is a matter of the requests that read it.
    inBackground(setTimeout(() => void judgeData().catch(() => undefined), JUDGE_DATA_AFTER_MS));
  };
  warnOfUnknown(
    rules,
    service.store.members().map(({ name }) => name),
    reporter.warn,
  );
  warnOfForbiddenIds(rules, store, reporter.warn);
  judgeSoon();
  return {
    name: "rules",
    offer: rules,
    ...(file !== undefined && {
      watched: {
        files: () => [resolve(file)],
        reload: async () => {
          await rules.replace(loadRules(file));
          judgeSoon();
        },
      },
    }),
    stop: () => {
      isClosed = true;
    },
    close: () => {
      isClosed = true;
    },
  };
}

/** A collection may come later, so that its rules are no mistake; a mistyped name is. */
function warnOfUnknown({ rules }: RuleBook, names: readonly string[], warn: (text: string) => void): void {
  const check = (name: string, place: string): void => {
    const hint = names.includes(name) ? "" : didYouMean(name, names);
    if (hint !== "") warn(`${place} "${name}", which the data does not have.${hint}`);
  };
  for (const [name, { references }] of rules) {
    check(name, "There are rules for");
    for (const { collection } of Object.values(references)) check(collection, `The rules of ${name} refer to`);
  }
}

/** Schemas made for request bodies often allow no other fields, and forget the one that the server adds. */
function warnOfForbiddenIds({ rules }: RuleBook, store: Store, warn: (text: string) => void): void {
  for (const [name, { schema }] of rules) {
    const idKey = store.idKeyOf(name);
    const { properties, patternProperties, additionalProperties } = schema;
    const isNamed = isJsonObject(properties) && Object.hasOwn(properties, idKey);
    if (additionalProperties !== false || patternProperties !== undefined || isNamed) continue;
    if (store.kindOf(name) === "singleton") continue;
    warn(
      `The rules of ${name} do not allow the field ${idKey}, which every record has: no write will pass. ` +
        `Add "${idKey}" to the properties.`,
    );
  }
}
