import { StartError } from "../../../base/errors.ts";
import type { Json } from "../../../base/json/json.ts";
import { didYouMean } from "../../../base/nearest.ts";
import { Unsatisfiable } from "../../constraints.ts";
import { compileRule } from "../../rules/compile-rules.ts";
import type { CollectionRules, Rules } from "../../rules/rules.ts";
import { ValueSet } from "../../rules/value-set.ts";
import { Randomness } from "../randomness.ts";
import type { Given } from "./generate-object.ts";
import { type Ids, NO_IDS, planIds } from "./ids.ts";
import { RecordGenerator } from "./record-generator.ts";
import { type ReferenceField, referenceFields, referenceValue } from "./reference-fields.ts";

/** How many records to make of a collection, or "one" for a singleton. */
export type CountsToMake = ReadonlyMap<string, number | "one">;

export interface DatabaseOptions {
  readonly rules: Rules;
  /** Of every collection that has rules. */
  readonly counts: CountsToMake;
  readonly idKeyOf: (collection: string) => string;
  readonly seed: number;
  /** Called with the number of records done. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Records of the collections that `counts` does not name. */
const DEFAULT_COUNT = 100;
/** Records per piece: memory use stays at one piece, however large the data. */
const PIECE = 500;

interface Plan {
  readonly generator: RecordGenerator;
  readonly count: number | "one";
  readonly ids: Ids;
  readonly references: readonly ReferenceField[];
}

/** The number of records of every collection that has rules; throws if a count is for none of them. */
export function countsFor(rules: Rules, counts: CountsToMake): CountsToMake {
  for (const name of counts.keys()) {
    if (!rules.has(name)) {
      throw new StartError(`--counts ${name}: there are no rules for it.${didYouMean(name, [...rules.keys()])}`);
    }
  }
  return new Map([...rules.keys()].map((name) => [name, counts.get(name) ?? DEFAULT_COUNT]));
}

/**
 * Prepares the text of a data file whose records pass the rules. The ids of all collections are decided first, so that
 * records may refer to each other in any order and in circles. The same seed gives the same text.
 */
export async function generateDatabase(options: DatabaseOptions): Promise<Generator<string>> {
  const { rules, counts, idKeyOf, seed } = options;
  const random = new Randomness(seed);
  const plans = new Map<string, Plan>();
  for (const [name, own] of rules) {
    const generator = await createGenerator(name, own, { random, seed });
    const count = counts.get(name) ?? DEFAULT_COUNT;
    const plan = (): Plan => ({
      generator,
      count,
      ids: count === "one" ? NO_IDS : planIds(generator, idKeyOf(name), { count }),
      references: referenceFields(generator),
    });
    plans.set(name, explained(name, undefined, plan));
  }
  return render(plans, options);
}

interface GeneratorOptions extends Pick<DatabaseOptions, "seed"> {
  readonly random: Randomness;
  /** Whether records have all that they may have. */
  readonly isComplete?: boolean;
}

/** The generator of records that pass these rules. */
export async function createGenerator(
  name: string,
  rules: CollectionRules,
  { random, seed, isComplete = false }: GeneratorOptions,
): Promise<RecordGenerator> {
  const judge = await compileRule(rules);
  return new RecordGenerator({ name, rules, judge, random, seed, isComplete });
}

function* render(plans: ReadonlyMap<string, Plan>, options: DatabaseOptions): Generator<string> {
  let done = 0;
  let isFirst = true;
  yield "{";
  for (const [name, plan] of plans) {
    yield `${isFirst ? "" : ","}\n  ${JSON.stringify(name)}: `;
    isFirst = false;
    const count = plan.count === "one" ? 1 : plan.count;
    if (plan.count === "one") yield indented(singleton(plan), "  ");
    else {
      const onProgress = (records: number): void => options.onProgress?.(done + records);
      yield* renderRecords(plan, plans, { ...options, onProgress });
    }
    done += count;
  }
  yield isFirst ? "}\n" : "\n}\n";
}

function singleton({ generator }: Plan): Json {
  return explained(generator.name, undefined, () => {
    generator.begin("one");
    return generator.record(new Map(), () => false);
  });
}

function* renderRecords(
  { generator, count, ids, references }: Plan,
  plans: ReadonlyMap<string, Plan>,
  { idKeyOf, onProgress }: DatabaseOptions,
): Generator<string> {
  const seen = new Map(generator.rules.unique.map((field) => [field, new ValueSet()]));
  const isTaken = (field: string, value: Json): boolean => seen.get(field)?.has(uniqueText(value)) ?? false;
  const idKey = idKeyOf(generator.name);
  let piece = "[";
  for (let position = 0; position < Number(count); position++) {
    const record = explained(generator.name, position, () => {
      generator.begin(String(position));
      const id = ids.at(position);
      const given: Given = new Map([
        [idKey, id as Json | undefined],
        ...references.map((reference): [string, Json | undefined] => {
          const target = reference.isSelf ? ids : (plans.get(reference.collection)?.ids ?? NO_IDS);
          return [reference.field, referenceValue(generator, reference, { ids: target, position, id })];
        }),
      ]);
      return generator.record(given, isTaken);
    });
    for (const [field, values] of seen) if (record[field] !== undefined) values.add(uniqueText(record[field]));
    piece += `${position === 0 ? "" : ","}\n    ${indented(record, "    ")}`;
    if ((position + 1) % PIECE !== 0) continue;
    yield piece;
    piece = "";
    onProgress?.(position + 1);
  }
  onProgress?.(Number(count));
  yield `${piece}${count === 0 ? "]" : "\n  ]"}`;
}

function indented(value: Json, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
}

/** Equal values have equal texts; some texts are shared by others, which then count as taken, too. */
export function uniqueText(value: Json): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function explained<T>(name: string, position: number | undefined, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof Unsatisfiable)) throw thrown;
    const { pointer, rule, message } = thrown;
    const which = position === undefined ? name : `record ${position + 1} of ${name}`;
    throw new StartError(
      `Cannot generate ${which}: ${pointer === "" ? "the record" : pointer} (rule ${rule}): ${message}.`,
    );
  }
}
