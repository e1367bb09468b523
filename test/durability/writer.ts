import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../src/base/json/json.ts";
import type { Random } from "../compat/random.ts";
import { type Act, Acts, type Step } from "./acts.ts";
import { type Belief, believe, copyOf, ownPrefix, plain, recordsIn, withoutUnknownIds } from "./belief.ts";
import type { Client } from "./client.ts";

/** How a database for writers begins: `stock` is shared out among them by id, the rest they make themselves. */
export function databaseFor(writers: number, stock: number): JsonObject {
  const own = Array.from({ length: writers }, (_, number) => [
    [`settings${number}`, { writer: number, turn: 0 }],
    [ownPrefix(number), []],
  ]).flat();
  return {
    notes: [],
    parents: [],
    children: [],
    stock: Array.from({ length: stock }, (_, index) => ({
      id: index + 1,
      name: `stock ${index + 1}`,
      left: index % 97,
    })),
    ...Object.fromEntries(own),
  };
}

/** A response that the request must not have. */
class Unexpected extends Error {}

/**
 * A client that writes at random, one request after the other, and remembers what was acknowledged. No two writers touch
 * the same record, so what must be there after a crash is known exactly, but for the one request that got no answer:
 * that one may have happened or not, as a whole. If it had a key, it is repeated, and must happen once.
 */
export class Writer {
  readonly #number: number;
  readonly #random: Random;
  readonly #acts: Acts;
  #belief: Belief;
  #doubt: Act | undefined;
  /** A request that a crash left without a response, as it is sent again. */
  #repeat: Act | undefined;
  /** The latest request with a key that was acknowledged, and its response. */
  #last: { readonly act: Act; readonly body: unknown } | undefined;
  #isPaused = false;
  /** How many requests were acknowledged, by kind. */
  readonly tally = new Map<string, number>();

  constructor(number: number, random: Random, begin: JsonObject, writers: number) {
    this.#number = number;
    this.#random = random;
    this.#belief = believe(begin, number, (id) => id % writers === number);
    this.#acts = new Acts(number, random, [...this.#belief.stock.keys()]);
  }

  get acknowledged(): number {
    return [...this.tally.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Writes until it is paused or the server is gone. */
  async run(client: Client, onlyCreates = false): Promise<void> {
    this.#isPaused = false;
    while (!this.#isPaused) {
      const act = onlyCreates ? this.#acts.create("notes") : this.#choose();
      try {
        for (const step of act.before ?? []) await send(client, step);
        this.#doubt = act;
        const answer = await send(client, act, act.key);
        this.#doubt = undefined;
        this.#repeat = undefined;
        act.means(this.#belief, answer);
        if (act.key !== undefined) this.#last = { act, body: answer };
        this.tally.set(act.kind, (this.tally.get(act.kind) ?? 0) + 1);
        for (const step of act.after ?? []) await send(client, step);
      } catch (thrown) {
        if (thrown instanceof Unexpected) throw thrown;
        return;
      }
    }
  }

  /** Ends `run` after the answer to the present request. */
  pause(): void {
    this.#isPaused = true;
  }

  /** The unique number of each acknowledged record, which must be found somewhere. */
  marks(): string[] {
    return [...this.#belief.lists.values()].flat().map(({ mark }) => String(mark));
  }

  /** Fails when the database is not what this writer was told; otherwise goes on from what is there. */
  check(database: JsonObject, seed: string): void {
    const found = this.#read(database);
    const doubt = this.#doubt;
    const isBelieved = (belief: Belief): boolean => isDeepStrictEqual(withoutUnknownIds(found, belief), belief);
    const without = copyOf(this.#belief);
    const withIt = copyOf(this.#belief);
    doubt?.means(withIt, undefined);
    const isDone = doubt !== undefined && isBelieved(withIt);
    if (!isDone && !isBelieved(without)) {
      throw new Error(
        `writer ${this.#number} (${seed}), in doubt: ${doubt ? `${doubt.method} ${doubt.path}` : "none"}\n` +
          `acknowledged: ${JSON.stringify(plain(without))}\nfound:        ${JSON.stringify(plain(found))}`,
      );
    }
    this.#belief = found;
    this.#doubt = undefined;
    // A repetition has its own expectation, which holds as before.
    const isNews = isDone && doubt.kind !== "repeated";
    if (doubt?.key !== undefined) this.#repeat = isNews ? this.#repetition(doubt) : doubt;
  }

  /** The database is another one now, by a restore or a change from outside, which ends all keys. */
  accept(database: JsonObject): void {
    this.#belief = this.#read(database);
    this.#doubt = undefined;
    this.#repeat = undefined;
    this.#last = undefined;
  }

  #read(database: JsonObject): Belief {
    return believe(database, this.#number, (id) => this.#belief.stock.has(id));
  }

  #choose(): Act {
    if (this.#repeat) return this.#repeat;
    const last = this.#last;
    if (!last || this.#random.chance(0.9)) return this.#acts.choose(this.#belief);
    const means = (_belief: Belief, answer: unknown): void => {
      if (answer !== undefined) expectSame(answer, last.body, last.act);
    };
    return { ...last.act, kind: "repeated", means };
  }

  /** A request that has happened: its response shows what is there, and changes nothing. */
  #repetition(act: Act): Act {
    const means = (belief: Belief, answer: unknown): void => {
      for (const record of recordsIn(answer)) {
        const found = [...belief.lists.values()].flat().find(({ mark }) => mark === record.mark);
        expectSame(record, found, act);
      }
    };
    return { ...act, kind: "repeated", means };
  }
}

async function send(client: Client, { method, path, body, status }: Step, key?: string): Promise<unknown> {
  const headers = key === undefined ? {} : { "idempotency-key": key };
  const answer = await client.send(method, path, body, headers);
  if (answer.status === status) return answer.body;
  throw new Unexpected(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

function expectSame(answer: unknown, expected: unknown, { method, path, key }: Act): void {
  if (isDeepStrictEqual(answer, expected)) return;
  throw new Unexpected(
    `${method} ${path} (key ${key}) was answered ${JSON.stringify(answer)} instead of ${JSON.stringify(expected)}`,
  );
}
