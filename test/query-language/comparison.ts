import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { Store, Write } from "../../src/store/store.ts";
import { Random } from "../compat/random.ts";
import { expectEqual } from "../support/expect-equal.ts";
import { Generator } from "./generate.ts";
import { consult, isHeld } from "./oracle.ts";
import type { Outcome, Question } from "./question.ts";
import { type Pair, Speller, toSearch } from "./spelling.ts";

/** The way to a store: how it gets its first data, how it is written to and asked. */
export interface Subject {
  /** Starts with these records in the collection `things`. */
  load(records: readonly JsonObject[]): Promise<void>;
  /** Undefined if the write was refused. */
  write(write: Write): Promise<{ before?: JsonObject | undefined; after?: JsonObject | undefined } | undefined>;
  ask(pairs: readonly Pair[], isWalk: boolean): Promise<Outcome>;
}

export interface ComparisonOptions {
  readonly seed: number;
  readonly questions: number;
  readonly recordsPerRound: number;
  readonly questionsPerRound?: number;
  /** The probability of a write before a question. */
  readonly writes?: number;
  /** Into how many pages walks divide all records. */
  readonly pagesOfWalks?: readonly number[];
  /** The share of questions that are one tree of conditions and nothing else. */
  readonly bareTrees?: number;
  /** Asks the questions between two writes at the same time. */
  readonly isConcurrent?: boolean;
}

/** Compares a subject with the oracle, with writes in between. Returns the number of questions asked. */
export async function compare(subject: Subject, options: ComparisonOptions): Promise<number> {
  const {
    seed,
    questions,
    recordsPerRound,
    questionsPerRound = 100,
    writes = 0.3,
    bareTrees = 0,
    isConcurrent = false,
  } = options;
  const random = new Random(seed);
  const generator = new Generator(random, options.pagesOfWalks);
  const ask = (records: readonly JsonObject[]): Question =>
    bareTrees > 0 && random.chance(bareTrees) ? generator.bareTree(records) : generator.question(records);
  const pending: Promise<void>[] = [];
  let asked = 0;
  let previous: Question | undefined;
  while (asked < questions) {
    const records = generator.records(random.chance(0.03) ? 0 : recordsPerRound);
    await subject.load(structuredClone(records));
    for (let step = 0; step < questionsPerRound && asked < questions; step++) {
      if (random.chance(writes)) {
        await Promise.all(pending.splice(0));
        await change(subject, records, { random, generator });
      }
      // Some are asked again after writes, because results may be kept.
      const question = previous && random.chance(0.2) ? previous : ask(records);
      previous = question;
      const pairs = new Speller(random, (path) => isHeld(records, path)).spell(question);
      if (!pairs) continue;
      const comparison = expectSame(subject, records, { question, pairs });
      // It is awaited later, and must not count as unhandled until then.
      comparison.catch(() => undefined);
      if (isConcurrent) pending.push(comparison);
      else await comparison;
      asked++;
      // Indexes of texts are built in the background: let them be used, too.
      if (step % 10 === 0) await nextTurn();
    }
    await Promise.all(pending.splice(0));
  }
  return asked;
}

interface Asked {
  readonly question: Question;
  readonly pairs: readonly Pair[];
}

async function expectSame(subject: Subject, records: readonly JsonObject[], { question, pairs }: Asked): Promise<void> {
  const expected = consult(records, question);
  const given = await subject.ask(pairs, question.part?.kind === "walk").catch((thrown: unknown) => String(thrown));
  // As texts, so that the order of keys counts.
  const told = `${toSearch(pairs)} means ${JSON.stringify(question)}`;
  expectEqual(given === String(given) ? given : JSON.stringify(given), JSON.stringify(expected), told);
}

interface Chance {
  readonly random: Random;
  readonly generator: Generator;
}

/** Writes to the subject, and then to the records as it reports. */
async function change(subject: Subject, records: JsonObject[], { random, generator }: Chance): Promise<void> {
  const target = records.length > 0 ? random.pick(records) : undefined;
  const kind = target ? random.pick(["create", "replace", "patch", "remove"] as const) : "create";
  const write: Write =
    kind === "create"
      ? { kind, collection: "things", bodies: [generator.record()] }
      : kind === "remove"
        ? { kind, collection: "things", id: String(target!.id), dependents: [] }
        : { kind, collection: "things", id: String(target!.id), body: generator.body() };
  const done = await subject.write(write);
  if (!done) return;
  const { before, after } = done;
  const at = before ? records.findIndex(({ id }) => id === before.id) : records.length;
  records.splice(at, before ? 1 : 0, ...(after ? [after] : []));
}

/** A store of the kind that `open` opens. */
export function storeSubject(
  open: (records: readonly JsonObject[]) => Promise<Store>,
  ask: (store: Store, pairs: readonly Pair[], isWalk: boolean) => Promise<Outcome>,
): Subject {
  let store: Store;
  return {
    load: async (records) => {
      store = await open(records);
    },
    write: async (write) => {
      const { edits } = await store.apply(write);
      const [edit] = edits;
      return { before: edit?.before?.value as JsonObject, after: edit?.after?.value as JsonObject };
    },
    ask: (pairs, isWalk) => ask(store, pairs, isWalk),
  };
}
