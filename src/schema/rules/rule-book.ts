import { isJsonObject, type Json } from "../../base/json/json.ts";
import { inSlices, type Work } from "../../base/slices.ts";
import type { DeclaredRelations } from "../../store/declared-relations.ts";
import type { HashedField } from "../../store/record-rules.ts";
import { isListName } from "../named-relations.ts";
import { within } from "../pointer.ts";
import { compileRules, type RecordJudge } from "./compile-rules.ts";
import type { CollectionRules, Rules } from "./rules.ts";
import type { Violation } from "./violation.ts";

/** A field whose records must be gone before the record that it refers to. */
interface Holder {
  readonly collection: string;
  readonly field: string;
}

const NO_HOLDERS: readonly Holder[] = [];

/** The rules in force. They can be exchanged while the server runs; the validator is loaded by the first write. */
export class RuleBook {
  /** The number of records that broke the rules when all were last judged, by collection; undefined until then. */
  broken: ReadonlyMap<string, number> | undefined;
  #rules: Rules;
  #judges: ReadonlyMap<string, RecordJudge> | undefined;
  #loading: Promise<void> | undefined;
  #holders: ReadonlyMap<string, readonly Holder[]>;
  #relational: ReadonlySet<string>;
  #declared: DeclaredRelations;
  #hashed: HashedField | undefined;

  constructor(rules: Rules) {
    this.#rules = rules;
    this.#holders = holdersIn(rules);
    this.#relational = relationalIn(rules, this.#holders);
    this.#declared = declaredIn(rules);
  }

  get rules(): Rules {
    return this.#rules;
  }

  get declared(): DeclaredRelations {
    return this.#declared;
  }

  /** Whether `judgeOf` can be called. */
  get isLoaded(): boolean {
    return this.#judges !== undefined;
  }

  load(): Promise<void> {
    this.#loading ??= compileRules(this.#rules).then((judges) => {
      this.#judges ??= judges;
    });
    return this.#loading;
  }

  /** Compiles all schemas, with pauses in between. */
  async prepare(): Promise<void> {
    await this.load();
    await inSlices(compileAll(this.#judges!));
  }

  /** Puts other rules in force, all at once. */
  async replace(rules: Rules): Promise<void> {
    const judges = await compileRules(rules);
    await inSlices(compileAll(judges));
    this.#rules = rules;
    this.#judges = judges;
    this.#holders = holdersIn(rules);
    this.#relational = relationalIn(rules, this.#holders);
    this.#declared = declaredIn(rules);
  }

  of(name: string): CollectionRules | undefined {
    return this.#rules.get(name);
  }

  judgeOf(name: string): ((record: Json) => readonly Violation[]) | undefined {
    const judge = this.#judges!.get(name);
    return judge && this.#hashed?.collection === name ? judgeAsSent(judge, this.#hashed) : judge;
  }

  /** Judges a field by what was sent, where the records have only a hash of it. */
  judgeAsSent(field: HashedField): void {
    this.#hashed = field;
  }

  /** The fields that keep the records of a collection from being removed. */
  holdersOf(name: string): readonly Holder[] {
    return this.#holders.get(name) ?? NO_HOLDERS;
  }

  /** Whether a write to the collection must be compared with other records. */
  isRelational(name: string): boolean {
    return this.#relational.has(name);
  }

  /** The named members and those that writes to them must be compared with. */
  withRelated(names: readonly string[]): string[] {
    const all = new Set(names);
    for (const name of names) {
      for (const { collection } of Object.values(this.#rules.get(name)?.references ?? {})) all.add(collection);
      for (const { collection } of this.holdersOf(name)) all.add(collection);
    }
    return [...all];
  }
}

function holdersIn(rules: Rules): ReadonlyMap<string, readonly Holder[]> {
  const holders = new Map<string, Holder[]>();
  for (const [collection, { references }] of rules) {
    for (const [field, { collection: target, onDelete }] of Object.entries(references)) {
      if (onDelete === "refuse") holders.set(target, [...(holders.get(target) ?? []), { collection, field }]);
    }
  }
  return holders;
}

function relationalIn(rules: Rules, holders: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const comparing = [...rules].filter(
    ([, { unique, references }]) => unique.length > 0 || Object.keys(references).length > 0,
  );
  return new Set([...comparing.map(([name]) => name), ...holders.keys()]);
}

function* compileAll(judges: ReadonlyMap<string, RecordJudge>): Work<void> {
  for (const judge of judges.values()) {
    yield* judge.prepare();
    yield;
  }
}

/** `x-references`, with the type of a field in the schema telling a list of ids. */
function declaredIn(rules: Rules): DeclaredRelations {
  return Object.fromEntries(
    [...rules].map(([name, { schema, references }]) => {
      const properties = isJsonObject(schema.properties) ? schema.properties : {};
      const fields = Object.entries(references).map(([field, { collection: to }]) => {
        const own = Object.hasOwn(properties, field) ? properties[field] : undefined;
        const isList = isJsonObject(own) && own.type !== undefined ? own.type === "array" : isListName(field);
        return [field, { to, isList }] as const;
      });
      return [name, Object.fromEntries(fields)];
    }),
  );
}

type Judge = (record: Json) => readonly Violation[];

/** Judges records by what was sent for the field, which no violation shows. Rules say nothing about a hash. */
function judgeAsSent(judge: Judge, { field, sentWith, isHash }: HashedField): Judge {
  const place = within("", field);
  const isInside = ({ pointer }: Violation): boolean => pointer === place || pointer.startsWith(`${place}/`);
  const shown = (violation: Violation): Violation => {
    const { given, ...others } = violation;
    if (given === undefined || isInside(violation)) return others;
    return violation.pointer === "" ? { ...others, given: without(given, field) } : violation;
  };
  return (record) => {
    if (!isJsonObject(record)) return judge(record);
    const sent = sentWith(record);
    if (sent !== undefined) return judge({ ...record, [field]: sent }).map(shown);
    const violations = judge(record);
    return (isHash(record[field]) ? violations.filter((one) => !isInside(one)) : violations).map(shown);
  };
}

function without(given: Json, field: string): Json {
  if (!isJsonObject(given)) return given;
  const { [field]: _, ...others } = given;
  return others;
}
