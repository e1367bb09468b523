import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../src/json.ts";
import type { Random } from "../compat/random.ts";
import type { Client } from "./client.ts";
import { recordsOf } from "./place.ts";

/** A writer's knowledge of its own records: those of `notes` and `children` in their order, and its singleton. */
interface Belief {
  readonly notes: JsonObject[];
  readonly parents: JsonObject[];
  readonly children: JsonObject[];
  readonly stock: Map<number, JsonObject>;
  settings: JsonObject;
}

/** A request, and what it means for a belief. `answer` is undefined when none came and it may have happened or not. */
interface Act {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly means: (belief: Belief, answer: unknown) => void;
}

const FILL = "x".repeat(200);

/** How a database for writers begins: `stock` is shared out among them by id, the rest they make themselves. */
export function databaseFor(writers: number, stock: number): JsonObject {
  const settings = Array.from({ length: writers }, (_, number) => [`settings${number}`, { writer: number, turn: 0 }]);
  return {
    notes: [],
    parents: [],
    children: [],
    stock: Array.from({ length: stock }, (_, index) => ({
      id: index + 1,
      name: `stock ${index + 1}`,
      left: index % 97,
    })),
    ...Object.fromEntries(settings),
  };
}

/**
 * A client that writes at random, one request after the other, and remembers what was acknowledged. No two writers touch
 * the same record, so what must be there after a crash is known exactly, but for the one request that got no answer:
 * that one may have happened or not, as a whole.
 */
export class Writer {
  readonly #number: number;
  readonly #random: Random;
  readonly #stockIds: readonly number[];
  #belief: Belief;
  #doubt: Act | undefined;
  #turn = 0;
  #isPaused = false;
  acknowledged = 0;

  constructor(number: number, random: Random, begin: JsonObject, writers: number) {
    this.#number = number;
    this.#random = random;
    this.#belief = believe(begin, number, (id) => id % writers === number);
    this.#stockIds = [...this.#belief.stock.keys()];
  }

  /** Writes until it is paused or the server is gone. */
  async run(client: Client, onlyCreates = false): Promise<void> {
    this.#isPaused = false;
    while (!this.#isPaused) {
      const act = this.#choose(onlyCreates);
      this.#doubt = act;
      let answer: { status: number; body: unknown };
      try {
        answer = await client.send(act.method, act.path, act.body);
      } catch {
        return;
      }
      this.#doubt = undefined;
      if (answer.status !== act.status) {
        throw new Error(`${act.method} ${act.path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      }
      act.means(this.#belief, answer.body);
      this.acknowledged++;
    }
  }

  /** Ends `run` after the answer to the present request. */
  pause(): void {
    this.#isPaused = true;
  }

  /** The unique number of each acknowledged record, which must be found somewhere. */
  marks(): string[] {
    const { notes, parents, children } = this.#belief;
    return [...notes, ...parents, ...children].map(({ mark }) => String(mark));
  }

  /** Fails when the database is not what this writer was told; otherwise goes on from what is there. */
  check(database: JsonObject, seed: string): void {
    const owns = (id: number): boolean => this.#belief.stock.has(id);
    const found = believe(database, this.#number, owns);
    const without = copyOf(this.#belief);
    const candidates = [without];
    if (this.#doubt) {
      const withIt = copyOf(this.#belief);
      this.#doubt.means(withIt, undefined);
      candidates.push(withIt);
    }
    if (!candidates.some((candidate) => isDeepStrictEqual(withoutUnknownIds(found, candidate), candidate))) {
      const doubt = this.#doubt ? `${this.#doubt.method} ${this.#doubt.path}` : "none";
      throw new Error(
        `writer ${this.#number} (${seed}), in doubt: ${doubt}\nacknowledged: ${JSON.stringify(plain(without))}\n` +
          `found:        ${JSON.stringify(plain(found))}`,
      );
    }
    this.#belief = found;
    this.#doubt = undefined;
  }

  /** The database is another one now, by a restore or a change from outside. */
  accept(database: JsonObject): void {
    const owns = (id: number): boolean => this.#belief.stock.has(id);
    this.#belief = believe(database, this.#number, owns);
    this.#doubt = undefined;
  }

  #choose(onlyCreates: boolean): Act {
    const { notes, parents, stock } = this.#belief;
    this.#turn++;
    if (onlyCreates) return this.#create("notes", [this.#record()], false);
    const kinds = ["create", "create", "many", "settings", "family"];
    if (notes.length > 0) kinds.push("replace", "patch", "remove");
    if (stock.size > 0) kinds.push("stock", "stock");
    if (parents.length > 0) kinds.push("orphan");
    const kind = this.#random.pick(kinds);
    switch (kind) {
      case "create":
        return this.#create("notes", [this.#record()], false);
      case "many":
        return this.#create(
          "notes",
          Array.from({ length: this.#random.int(2, 6) }, () => this.#record()),
          true,
        );
      case "family":
        return this.#family();
      case "settings":
        return this.#settings();
      case "stock":
        return this.#stock();
      case "orphan":
        return this.#orphan();
      default:
        return this.#change(kind);
    }
  }

  #record(): JsonObject {
    return { writer: this.#number, turn: this.#turn, mark: this.#random.int(0, 2 ** 31), fill: FILL };
  }

  #create(collection: "notes" | "parents" | "children", bodies: JsonObject[], isMany: boolean): Act {
    return {
      method: "POST",
      path: `/${collection}`,
      body: isMany ? bodies : bodies[0],
      status: 201,
      means: (belief, answer) => {
        const made = (isMany ? answer : [answer]) as JsonObject[] | [undefined] | undefined;
        for (const [index, body] of bodies.entries()) {
          const id = made?.[index]?.id;
          belief[collection].push(id === undefined ? body : { ...body, id });
        }
      },
    };
  }

  /** A parent with its children: the parent first, so that they can name it; the children all in one request. */
  #family(): Act {
    const childless = this.#belief.parents.find(
      ({ id }) => !this.#belief.children.some(({ parent_id }) => parent_id === id),
    );
    if (!childless) return this.#create("parents", [this.#record()], false);
    const children = Array.from({ length: 3 }, () => ({ ...this.#record(), parent_id: childless.id as number }));
    return this.#create("children", children, true);
  }

  /** A parent goes, and its children go with it, or none of them does. */
  #orphan(): Act {
    const { id } = this.#random.pick(this.#belief.parents);
    return {
      method: "DELETE",
      path: `/parents/${id}?_dependent=children`,
      status: 200,
      means: ({ parents, children }) => {
        drop(parents, (parent) => parent.id === id);
        drop(children, (child) => child.parent_id === id);
      },
    };
  }

  #settings(): Act {
    const body = { writer: this.#number, turn: this.#turn, [`key${this.#turn % 5}`]: FILL };
    const isPatch = this.#random.chance(0.5);
    return {
      method: isPatch ? "PATCH" : "PUT",
      path: `/settings${this.#number}`,
      body,
      status: 200,
      means: (belief) => {
        belief.settings = isPatch ? { ...belief.settings, ...body } : body;
      },
    };
  }

  #stock(): Act {
    const id = this.#random.pick(this.#stockIds);
    const body = { left: this.#turn, by: this.#number };
    return {
      method: "PATCH",
      path: `/stock/${id}`,
      body,
      status: 200,
      means: ({ stock }) => void stock.set(id, { ...stock.get(id), ...body }),
    };
  }

  #change(kind: string): Act {
    const chosen = this.#random.pick(this.#belief.notes);
    const path = `/notes/${chosen.id}`;
    if (kind === "remove") {
      return { method: "DELETE", path, status: 200, means: ({ notes }) => drop(notes, ({ id }) => id === chosen.id) };
    }
    const body = kind === "patch" ? { mark: this.#random.int(0, 2 ** 31), patched: this.#turn } : this.#record();
    const after = kind === "patch" ? { ...chosen, ...body } : { ...body, id: chosen.id as number };
    return {
      method: kind === "patch" ? "PATCH" : "PUT",
      path,
      body,
      status: 200,
      means: ({ notes }) => {
        const at = notes.findIndex(({ id }) => id === chosen.id);
        notes[at] = after as JsonObject;
      },
    };
  }
}

/** The records of a writer in the database, in order. */
function believe(database: JsonObject, number: number, owns: (id: number) => boolean): Belief {
  const own = (name: string): JsonObject[] => recordsOf(database, name).filter(({ writer }) => writer === number);
  const stock = recordsOf(database, "stock").filter(({ id }) => owns(id as number));
  return {
    notes: own("notes"),
    parents: own("parents"),
    children: own("children"),
    stock: new Map(stock.map((record) => [record.id as number, record])),
    settings: database[`settings${number}`] as JsonObject,
  };
}

function copyOf({ notes, parents, children, stock, settings }: Belief): Belief {
  return { notes: [...notes], parents: [...parents], children: [...children], stock: new Map(stock), settings };
}

/** The id of a record whose creation got no response is unknown: the comparison leaves it out. */
function withoutUnknownIds(found: Belief, expected: Belief): Belief {
  const trim = (name: "notes" | "parents" | "children"): JsonObject[] =>
    found[name].map((record, index) => {
      if (expected[name][index] === undefined || "id" in expected[name][index]) return record;
      const { id, ...rest } = record;
      return rest;
    });
  return { ...found, notes: trim("notes"), parents: trim("parents"), children: trim("children") };
}

function plain(belief: Belief): unknown {
  const short = (records: JsonObject[]): unknown[] => records.map(({ fill, ...rest }) => rest);
  return {
    notes: short(belief.notes),
    parents: short(belief.parents),
    children: short(belief.children),
    settings: belief.settings,
  };
}

function drop(records: JsonObject[], goes: (record: JsonObject) => boolean): void {
  for (let at = records.length - 1; at >= 0; at--) if (goes(records[at]!)) records.splice(at, 1);
}
