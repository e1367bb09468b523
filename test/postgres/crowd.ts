import { setTimeout as sleep } from "node:timers/promises";
import { limit } from "../support/limits.ts";

/** The knowledge about one record from responses alone. */
interface Known {
  readonly tag: string;
  /** The last value that was acknowledged, and whatever was sent after it without an answer. */
  value: number;
  readonly unanswered: Set<number>;
  /** Removed, or perhaps removed. */
  fate: "there" | "unknown" | "gone";
}

export interface Crowd {
  readonly known: ReadonlyMap<string, Known>;
  /** Values that must never be seen. */
  readonly violations: readonly string[];
  readonly acknowledged: number;
  /** Answers other than those wanted, by status; 0 is none at all. */
  readonly refused: ReadonlyMap<number, number>;
}

interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/**
 * Clients that write through any of the processes, and at once read what was acknowledged through another one, until it is
 * enough. That is asked with the number of acknowledged writes.
 */
export async function runCrowd(
  urls: () => readonly string[],
  clients: number,
  isEnough: (acknowledged: number) => boolean,
): Promise<Crowd> {
  const known = new Map<string, Known>();
  const violations: string[] = [];
  const refused = new Map<number, number>();
  let acknowledged = 0;

  async function client(number: number): Promise<void> {
    const own: string[] = [];
    for (let turn = 0; !isEnough(acknowledged); turn++) {
      const act = own.length === 0 || turn % 3 === 0 ? "create" : turn % 7 === 5 ? "remove" : "patch";
      const done = await (act === "create" ? create(number, turn, own) : change(act, turn, own));
      if (done) acknowledged++;
      else await sleep(20);
    }
  }

  async function create(number: number, turn: number, own: string[]): Promise<boolean> {
    const tag = `${number}-${turn}`;
    const { status, body } = await ask("POST", "/products", { tag, value: 0 });
    if (status !== 201) return refuse(status);
    const id = String(body.id);
    // The largest id is free again once its record is removed.
    if (known.get(id)?.fate === "there") violations.push(`id ${id} was given twice: ${known.get(id)!.tag} and ${tag}`);
    known.set(id, { tag, value: 0, unanswered: new Set(), fate: "there" });
    own.push(id);
    await look(id);
    return true;
  }

  async function change(act: "patch" | "remove", turn: number, own: string[]): Promise<boolean> {
    const id = own[turn % own.length]!;
    const record = known.get(id)!;
    if (act === "patch") {
      record.unanswered.add(turn);
      const { status } = await ask("PATCH", `/products/${id}`, { value: turn });
      if (status === 404) violations.push(`${id} was acknowledged but is not found by PATCH`);
      if (status !== 200) return refuse(status);
      record.value = turn;
      record.unanswered.clear();
    } else {
      own.splice(own.indexOf(id), 1);
      record.fate = "unknown";
      const { status } = await ask("DELETE", `/products/${id}`);
      if (status === 200) record.fate = "gone";
      if (status === 404) violations.push(`${id} was acknowledged but is not found by DELETE`);
      if (status !== 200) return refuse(status);
    }
    await look(id);
    return true;
  }

  /** Any process must see the latest acknowledged state, or say that it cannot tell. */
  async function look(id: string): Promise<void> {
    const record = known.get(id)!;
    const { status, body } = await ask("GET", `/products/${id}`);
    if (known.get(id) !== record) return;
    if (record.fate === "gone" && status === 200 && body.tag === record.tag)
      violations.push(`${id} was removed but is still seen`);
    if (record.fate !== "there") return;
    if (status === 404) violations.push(`${id} was acknowledged but is not seen`);
    if (status !== 200) return;
    if (body.tag !== record.tag) violations.push(`${id} is ${body.tag}, not ${record.tag}`);
    if (body.value !== record.value) violations.push(`${id} has value ${body.value}, not ${record.value}`);
  }

  async function ask(method: string, path: string, body?: object): Promise<Answered> {
    const choice = urls();
    const url = choice[Math.floor(Math.random() * choice.length)]!;
    try {
      const answer = await fetch(`${url}${path}`, {
        method,
        ...(body ? { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : {}),
        signal: AbortSignal.timeout(limit(15_000)),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    } catch {
      return { status: 0, body: {} };
    }
  }

  function refuse(status: number): false {
    refused.set(status, (refused.get(status) ?? 0) + 1);
    return false;
  }

  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return { known, violations, acknowledged, refused };
}

/** Checks the database after a crowd has used it; returns the problems. */
export function compareWithKnown(
  crowd: Crowd,
  products: readonly { id: unknown; tag?: unknown; value?: unknown }[],
): string[] {
  const problems = [...crowd.violations];
  const byId = new Map(products.map((product) => [String(product.id), product]));
  if (byId.size !== products.length) problems.push("an id occurs twice");
  const tags = products.flatMap(({ tag }) => (tag === undefined ? [] : [tag]));
  if (new Set(tags).size !== tags.length) problems.push("a write was applied twice");
  for (const [id, { tag, value, unanswered, fate }] of crowd.known) {
    const found = byId.get(id);
    if (fate === "gone" && found?.tag === tag) problems.push(`${id} was removed but is there`);
    if (fate !== "there") continue;
    if (!found) problems.push(`${id} was acknowledged but is lost`);
    else if (found.tag !== tag) problems.push(`${id} is ${found.tag}, not ${tag}`);
    else if (found.value !== value && !unanswered.has(found.value as number)) {
      problems.push(`${id} has value ${found.value}, not ${value}`);
    }
  }
  return problems;
}
