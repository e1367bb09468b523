import type { JsonObject } from "../../src/base/json/json.ts";
import type { Random } from "../compat/random.ts";
import { type Belief, listOf, ownPrefix } from "./belief.ts";

export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
}

/** A request, and what it means for a belief. `answer` is undefined when none came and it may have happened or not. */
export interface Act extends Step {
  readonly kind: string;
  readonly means: (belief: Belief, answer: unknown) => void;
  /** Sent with the request, which may then be repeated. */
  readonly key?: string;
  /** Requests that come first or last and change no data. */
  readonly before?: readonly Step[];
  readonly after?: readonly Step[];
}

const FILL = "x".repeat(200);
/** The most collections of one writer. */
const MAX_OWN = 4;

/** The writes of one writer, chosen at random from those that its belief allows. */
export class Acts {
  readonly #number: number;
  readonly #random: Random;
  readonly #stockIds: readonly number[];
  #turn = 0;

  constructor(number: number, random: Random, stockIds: readonly number[]) {
    this.#number = number;
    this.#random = random;
    this.#stockIds = stockIds;
  }

  choose(belief: Belief): Act {
    this.#turn++;
    const own = this.#ownOf(belief);
    const kinds = ["create", "create", "many", "settings", "family", "batch", "batch"];
    if (listOf(belief, "notes").length > 0) kinds.push("replace", "patch", "remove");
    if (this.#stockIds.length > 0) kinds.push("stock", "stock");
    if (listOf(belief, "parents").length > 0) kinds.push("orphan");
    if (own.length < MAX_OWN) kinds.push("collection");
    if (own.length > 0) kinds.push("own", "promotion", "promotion", "rename", "drop");
    const kind = this.#random.pick(kinds);
    switch (kind) {
      case "create":
        return this.#keyed(this.create("notes"));
      case "many":
        return this.#keyed(this.#createMany("notes", this.#random.int(2, 6)));
      case "batch":
        return this.#keyed(this.#batch());
      case "family":
        return this.#family(belief);
      case "settings":
        return this.#settings();
      case "stock":
        return this.#stock();
      case "orphan":
        return this.#orphan(belief);
      case "collection":
        return this.#collection();
      case "own":
        return this.#keyed(this.create(this.#random.pick(own)));
      case "promotion":
        return this.#promotion(this.#random.pick(own));
      case "rename":
        return this.#rename(this.#random.pick(own));
      case "drop":
        return this.#drop(this.#random.pick(own));
      default:
        return this.#change(kind, this.#random.pick(listOf(belief, "notes")));
    }
  }

  create(collection: string): Act {
    const body = this.#record();
    return {
      kind: "create",
      method: "POST",
      path: `/${collection}`,
      body,
      status: 201,
      means: (belief, answer) => addTo(belief, collection, [body], answer === undefined ? undefined : [answer]),
    };
  }

  #createMany(collection: string, count: number, more: JsonObject = {}): Act {
    const bodies = Array.from({ length: count }, () => ({ ...this.#record(), ...more }));
    return {
      kind: "many",
      method: "POST",
      path: `/${collection}`,
      body: bodies,
      status: 201,
      means: (belief, answer) => addTo(belief, collection, bodies, answer as unknown[] | undefined),
    };
  }

  /** Several writes to different places, all in one transaction. */
  #batch(): Act {
    const acts = [this.create("notes"), this.#settings(), this.#createMany("notes", 2)];
    if (this.#stockIds.length > 0) acts.push(this.#stock());
    return {
      kind: "batch",
      method: "POST",
      path: "/__batch",
      body: { requests: acts.map(({ method, path, body }) => ({ method, path, body })) },
      status: 200,
      means: (belief, answer) => {
        const responses = (answer as { responses: { body: unknown }[] } | undefined)?.responses;
        for (const [index, { means }] of acts.entries()) means(belief, responses?.[index]?.body);
      },
    };
  }

  /** Some requests have a key, so that they can be repeated. */
  #keyed(act: Act): Act {
    if (this.#random.chance(0.5)) return act;
    return { ...act, key: `${this.#number}-${this.#turn}-${this.#random.int(0, 2 ** 31)}` };
  }

  /** A parent with its children: the parent first, so that they can name it; the children all in one request. */
  #family(belief: Belief): Act {
    const children = listOf(belief, "children");
    const childless = listOf(belief, "parents").find(({ id }) => !children.some(({ parent_id }) => parent_id === id));
    return childless ? this.#createMany("children", 3, { parent_id: childless.id as number }) : this.create("parents");
  }

  /** A parent goes, and its children go with it, or none of them does. */
  #orphan(belief: Belief): Act {
    const { id } = this.#random.pick(listOf(belief, "parents"));
    return {
      kind: "orphan",
      method: "DELETE",
      path: `/parents/${id}?_dependent=children`,
      status: 200,
      means: (belief) => {
        drop(listOf(belief, "parents"), (parent) => parent.id === id);
        drop(listOf(belief, "children"), (child) => child.parent_id === id);
      },
    };
  }

  #settings(): Act {
    const body = { writer: this.#number, turn: this.#turn, [`key${this.#turn % 5}`]: FILL };
    const isPatch = this.#random.chance(0.5);
    return {
      kind: "settings",
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
      kind: "stock",
      method: "PATCH",
      path: `/stock/${id}`,
      body,
      status: 200,
      means: ({ stock }) => void stock.set(id, { ...stock.get(id), ...body }),
    };
  }

  #change(kind: string, chosen: JsonObject): Act {
    const path = `/notes/${chosen.id}`;
    if (kind === "remove") {
      const means = (belief: Belief): void => drop(listOf(belief, "notes"), ({ id }) => id === chosen.id);
      return { kind, method: "DELETE", path, status: 200, means };
    }
    const body = kind === "patch" ? { mark: this.#random.int(0, 2 ** 31), patched: this.#turn } : this.#record();
    const after = kind === "patch" ? { ...chosen, ...body } : { ...body, id: chosen.id as number };
    return {
      kind,
      method: kind === "patch" ? "PATCH" : "PUT",
      path,
      body,
      status: 200,
      means: (belief) => {
        const notes = listOf(belief, "notes");
        notes[notes.findIndex(({ id }) => id === chosen.id)] = after as JsonObject;
      },
    };
  }

  #collection(): Act {
    const name = this.#newName();
    const means = ({ lists }: Belief): void => void lists.set(name, []);
    return { kind: "collection", method: "POST", path: "/__collections", body: { name }, status: 201, means };
  }

  #rename(name: string): Act {
    const to = this.#newName();
    return {
      kind: "rename",
      method: "PATCH",
      path: `/__collections/${name}`,
      body: { name: to },
      status: 200,
      means: (belief) => {
        belief.lists.set(to, listOf(belief, name));
        belief.lists.delete(name);
      },
    };
  }

  #drop(name: string): Act {
    const means = ({ lists }: Belief): void => void lists.delete(name);
    return { kind: "drop", method: "DELETE", path: `/__collections/${name}`, status: 200, means };
  }

  /** Writes to a sandbox, which then become one change of the shared data. */
  #promotion(collection: string): Act {
    const name = `s${this.#number}-${this.#turn}-${this.#random.int(0, 2 ** 31)}`;
    const inside = [this.#settings(), this.#createMany(collection, 3)];
    if (this.#stockIds.length > 0) inside.push(this.#stock());
    return {
      kind: "promotion",
      before: [
        { method: "POST", path: "/__sandboxes", body: { name }, status: 201 },
        ...inside.map(({ method, path, body, status }) => ({
          method,
          path: `/__sandbox/${name}${path}`,
          body,
          status,
        })),
      ],
      method: "POST",
      path: `/__sandboxes/${name}/promote`,
      status: 200,
      after: [{ method: "DELETE", path: `/__sandboxes/${name}`, status: 200 }],
      means: (belief) => {
        const last = listOf(belief, collection).reduce((most, { id }) => Math.max(most, Number(id)), 0);
        for (const { means } of inside) means(belief, undefined);
        const made = listOf(belief, collection).slice(-3);
        for (const [index, record] of made.entries()) record.id = last + 1 + index;
      },
    };
  }

  #record(): JsonObject {
    return { writer: this.#number, turn: this.#turn, mark: this.#random.int(0, 2 ** 31), fill: FILL };
  }

  #ownOf({ lists }: Belief): string[] {
    return [...lists.keys()].filter((name) => name.startsWith(ownPrefix(this.#number)));
  }

  #newName(): string {
    return `${ownPrefix(this.#number)}${this.#turn}x${this.#random.int(0, 2 ** 31)}`;
  }
}

/** Adds records as they were sent, with the ids that the response gave them, if there was one. */
function addTo(
  belief: Belief,
  name: string,
  bodies: readonly JsonObject[],
  made: readonly unknown[] | undefined,
): void {
  for (const [index, body] of bodies.entries()) {
    const id = (made?.[index] as JsonObject | undefined)?.id;
    listOf(belief, name).push(id === undefined ? { ...body } : { ...body, id });
  }
}

function drop(records: JsonObject[], goes: (record: JsonObject) => boolean): void {
  for (let at = records.length - 1; at >= 0; at--) if (goes(records[at]!)) records.splice(at, 1);
}
