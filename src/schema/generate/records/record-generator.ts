import type { Json, JsonObject } from "../../../base/json/json.ts";
import { seedFor } from "../../../base/random.ts";
import { type Constraints, Unsatisfiable } from "../../constraints.ts";
import { gather } from "../../gather.ts";
import { createPasses, type Passes } from "../../passes-schema.ts";
import type { RecordJudge } from "../../rules/compile-rules.ts";
import type { CollectionRules } from "../../rules/rules.ts";
import type { Violation } from "../../rules/violation.ts";
import { type SchemaNode, SchemaTree } from "../../schema-tree.ts";
import type { Randomness } from "../randomness.ts";
import { type Given, generateObject, nodesFor, spotOf } from "./generate-object.ts";
import { generateValue } from "./generate-value.ts";
import type { Habits, Making, Spot } from "./making.ts";

/** Tries for one record, and for a value that no other record has. */
const MAX_TRIES = 60;
const MAX_UNIQUE_TRIES = 2000;
/** Fresh values that are tried where a number behind the text would do as well. */
const MAX_FRESH = 3;

/** Values made for one record, tries included. */
const MAX_VALUES = 100_000;

/** Records differ from each other in the optional fields that they have, and in the lengths of their lists. */
const HABITS: Habits = {
  deepFrom: 5,
  optionalShare: 0.85,
  items: (least, { depth }, random) => Math.max(least, 1) + random.between(0, depth > 2 ? 1 : 2),
  isDictionary: (further) => further !== false,
};

/** Records that have all they may have. */
const COMPLETE: Habits = { ...HABITS, optionalShare: 1, nullShare: 0 };

export interface RecordGeneratorOptions {
  readonly name: string;
  readonly rules: CollectionRules;
  readonly judge: RecordJudge;
  readonly random: Randomness;
  readonly seed: number;
  /** Whether records have all optional fields, and null nowhere if they need not. */
  readonly isComplete?: boolean;
}

/** Whether another record has this value in a field that is unique. */
export type IsTaken = (field: string, value: Json) => boolean;

/** Makes records of one collection that pass its rules. */
export class RecordGenerator {
  readonly name: string;
  readonly rules: CollectionRules;
  readonly passes: Passes;
  readonly random: Randomness;
  readonly isComplete: boolean;
  readonly #judge: RecordJudge;
  readonly #seed: number;
  readonly #tree: SchemaTree;
  readonly #root: readonly SchemaNode[];
  readonly #spot: Spot;
  readonly #making: Making;

  constructor({ name, rules, judge, random, seed, isComplete = false }: RecordGeneratorOptions) {
    this.name = name;
    this.isComplete = isComplete;
    this.rules = rules;
    this.random = random;
    this.#judge = judge;
    this.#seed = seed;
    this.#tree = new SchemaTree(rules.schema);
    this.passes = createPasses(this.#tree);
    this.#root = [this.#tree.root];
    this.#spot = { pointer: "", depth: 0, names: [name] };
    const making: Making = {
      tree: this.#tree,
      random,
      habits: isComplete ? COMPLETE : HABITS,
      passes: this.passes,
      generate: (nodes, spot) => generateValue(nodes, spot, making),
      budget: { left: MAX_VALUES },
    };
    this.#making = making;
  }

  /** Starts the choices for one thing, which then do not depend on those before. */
  begin(purpose: string): void {
    this.random.restart(seedFor(this.#seed, `${this.name}/${purpose}`));
    this.#making.budget.left = MAX_VALUES;
  }

  /** The constraints on a record, and on one of its fields. */
  constraints(): Constraints {
    return gather(this.#root, { tree: this.#tree, random: this.random, pointer: "", isDeep: false });
  }

  constraintsOf(field: string): Constraints {
    const { pointer } = spotOf(field, this.#spot);
    const nodes = nodesFor(field, this.constraints());
    return gather(nodes, { tree: this.#tree, random: this.random, pointer, isDeep: false });
  }

  /** Whether a value passes the schemas of a field, as far as they are checked one by one. */
  fieldPasses(field: string, value: Json): boolean {
    return nodesFor(field, this.constraints()).every((node) => this.passes(node, value));
  }

  /** A value for one field. */
  field(field: string): Json {
    return this.#making.generate(nodesFor(field, this.constraints()), spotOf(field, this.#spot));
  }

  /** A record that passes the rules; throws `Unsatisfiable` if none was found. */
  record(given: Given, isTaken: IsTaken): JsonObject {
    let failure: unknown;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      try {
        const record = this.#attempt(given);
        const [broken] = this.#judge(record);
        if (!broken) return this.#unique(record, given, isTaken);
        failure = unsatisfied(broken);
      } catch (thrown) {
        if (!(thrown instanceof Unsatisfiable)) throw thrown;
        failure = thrown;
        if (!this.#hasAlternatives) throw thrown;
      }
    }
    throw failure;
  }

  get #hasAlternatives(): boolean {
    return /"(anyOf|oneOf|if|not|dependentSchemas)"/.test(JSON.stringify(this.rules.schema));
  }

  #attempt(given: Given): JsonObject {
    const constraints = this.constraints();
    const { types, values } = constraints;
    if (types && !types.has("object")) throw new Unsatisfiable("", "type", "a record is an object");
    if (values) return { ...(this.random.pick(values) as JsonObject), ...present(given) };
    return generateObject(constraints, this.#spot, this.#making, given);
  }

  /** Exchanges the values that other records have in fields that are unique. */
  #unique(record: JsonObject, given: Given, isTaken: IsTaken): JsonObject {
    let unique = record;
    for (const field of this.rules.unique) {
      const value = unique[field];
      if (value === undefined || value === null || !isTaken(field, value)) continue;
      if (given.has(field)) throw new Unsatisfiable(`/${field}`, "x-unique", "another record has the given value");
      unique = this.#exchanged(unique, field, isTaken);
    }
    return unique;
  }

  #exchanged(record: JsonObject, field: string, isTaken: IsTaken): JsonObject {
    const passes = (value: Json): JsonObject | undefined => {
      if (value === null || isTaken(field, value)) return undefined;
      const changed = { ...record, [field]: value };
      return this.#judge(changed).length === 0 ? changed : undefined;
    };
    for (let tries = 0; tries < MAX_UNIQUE_TRIES; tries++) {
      const found =
        (tries >= MAX_FRESH
          ? passes(variation(record[field]!, this.random.between(2, 9 + tries * tries)))
          : undefined) ?? passes(this.field(field));
      if (found) return found;
    }
    throw new Unsatisfiable(`/${field}`, "x-unique", "no further value was found that no other record has");
  }
}

function present(given: Given): JsonObject {
  return Object.fromEntries([...given].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function unsatisfied({ pointer, rule, message }: Violation): Unsatisfiable {
  return new Unsatisfiable(pointer, rule, `every record that was tried broke this rule: it ${message}`);
}

/** Another value like this one: with a number where people would put it. */
function variation(value: Json, number: number): Json {
  if (typeof value === "number") return value + number;
  if (typeof value !== "string") return value;
  if (/^[^\s@]+@[^\s@]+$/.test(value)) return value.replace("@", `${number}@`);
  if (/^\S+:\/\//.test(value) || /^[\w-]+$/.test(value)) return `${value}-${number}`;
  return `${value} ${number}`;
}
