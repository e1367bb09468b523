import type { Json } from "../../../base/json/json.ts";
import { Collection } from "../../memory/collection.ts";
import type { KeptChange, WayBack } from "../../memory/history/kept-change.ts";
import type { State, StateMember } from "../../memory/state.ts";
import type { Edit } from "../../store.ts";
import { StoredRecord } from "../../stored-record.ts";
import type { JournalEdit } from "../journal/journal-format.ts";
import type { PastEdits, PastLine, PastMember, PastSwap } from "./past-line.ts";
import type { MemberDelta } from "./past-text.ts";
import { type Token, TokenOrder } from "./token-order.ts";

/** About the memory of a record for each character of its JSON. */
const BYTES_PER_LETTER = 4;

/** A line of the history, and its length. */
export interface ReadLine {
  readonly line: PastLine;
  readonly length: number;
}

/** An edit whose slot is known when all lines are read. */
interface OpenEdit {
  readonly name: string;
  readonly slot: () => number;
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
}

/**
 * Makes the versions of earlier processes fit the data of this one. Lines tell records by positions of their time, and this
 * process has given all records new slots, so the lines are read from the last one back.
 */
export function readBack(lines: readonly ReadLine[], state: State): KeptChange[] {
  const walk = new WalkBack(state);
  const kept: (() => KeptChange)[] = [];
  for (const { line, length } of lines.toReversed()) {
    const { v: version, t: time, by, cause } = line;
    const back = "lost" in line ? undefined : walk.behind(line);
    const bytes = back ? BYTES_PER_LETTER * length : 0;
    const lost = "lost" in line ? line.lost : undefined;
    kept.push(() => ({ version, time, by, cause, bytes, back: back?.(), lost }));
  }
  return kept.reverse().map((make) => make());
}

class WalkBack {
  readonly #state: State;
  readonly #orders = new Map<string, TokenOrder>();
  #names: readonly string[];

  constructor(state: State) {
    this.#state = state;
    for (const [name, member] of state.members()) {
      if (member instanceof Collection) this.#orders.set(name, new TokenOrder(member.size));
    }
    this.#names = [...state.members()].map(([name]) => name);
  }

  /** Goes back behind a line. The way back is complete when all lines are read. */
  behind(line: PastEdits | PastMember | PastSwap): () => WayBack {
    if ("edits" in line) return this.#behindEdits(line);
    return "member" in line ? this.#behindMember(line) : this.#behindSwap(line);
  }

  #behindEdits({ v, edits, was = [] }: PastEdits): () => WayBack {
    const open: OpenEdit[] = [];
    let former = was.length;
    for (let end = edits.length; end > 0; ) {
      const start = runBefore(edits, end);
      const run = edits.slice(start, end).reverse();
      end = start;
      const order = this.#orders.get(run[0]?.[1] ?? "");
      const tokens = tokensOf(order, run);
      for (const [position, edit] of run.entries()) {
        const [kind, name] = edit;
        const before = kind === "+" ? undefined : was[--former];
        open.push({ name, slot: slotOf(order, tokens[position] ?? 0), before, after: afterOf(edit) });
      }
    }
    open.reverse();
    return () => ({ kind: "change", edits: closed(open, v) });
  }

  #behindMember({ member: edit, was }: PastMember): () => WayBack {
    const { idKeys } = this.#state;
    let removed: StateMember | undefined;
    if (edit.kind === "created") this.#forget(edit.name);
    else if (edit.kind === "renamed") {
      const order = this.#orders.get(edit.to);
      this.#orders.delete(edit.to);
      if (order) this.#orders.set(edit.name, order);
      this.#names = this.#names.map((name) => (name === edit.to ? edit.name : name));
    } else {
      removed = was && this.#load(edit.name, was.content);
      this.#names = this.#names.toSpliced(was?.at ?? this.#names.length, 0, edit.name);
    }
    const names = this.#names;
    return () => ({ kind: "members", edit, before: { names, removed, idKeys } });
  }

  #behindSwap({ v, names, swap }: PastSwap): () => WayBack {
    const { idKeys } = this.#state;
    const open: OpenEdit[] = [];
    const members = new Map<string, StateMember | undefined>();
    for (const delta of swap) {
      if (delta.script) this.#behindScript(delta, open);
      else if (delta.was === undefined) {
        this.#forget(delta.name);
        members.set(delta.name, undefined);
      } else members.set(delta.name, this.#load(delta.name, delta.was));
    }
    this.#names = names;
    return () => ({ kind: "replaced", edits: closed(open, v), members, before: { names, removed: undefined, idKeys } });
  }

  #behindScript({ name, script = [], gone = [] }: MemberDelta, open: OpenEdit[]): void {
    const order = this.#orders.get(name);
    if (!order) return;
    const moved = order.rearrange(script);
    const records = script.flatMap((part) => ("r" in part ? [part.r] : []));
    for (const [position, token] of moved.gone.entries()) {
      open.push({ name, slot: slotOf(order, token), after: gone[position] ?? null });
    }
    for (const [position, token] of moved.inserted.entries()) {
      open.push({ name, slot: slotOf(order, token), before: records[position] ?? null });
    }
  }

  #forget(name: string): void {
    this.#orders.delete(name);
    this.#names = this.#names.filter((one) => one !== name);
  }

  /** A member as it was, with positions and slots of its own. */
  #load(name: string, content: Json): StateMember | undefined {
    const member = new Map(this.#state.loadNext({ [name]: content }).members()).get(name);
    if (member instanceof Collection) this.#orders.set(name, new TokenOrder(member.size));
    else this.#orders.delete(name);
    return member;
  }
}

function slotOf(order: TokenOrder | undefined, token: Token): () => number {
  return () => order?.slotOf(token) ?? 0;
}

/** The start of the edits that end here and are of one kind, in one collection, at positions that run in one direction. */
function runBefore(edits: readonly JournalEdit[], end: number): number {
  let start = end - 1;
  let next = edits[start];
  for (; start > 0 && next; start--) {
    const one = edits[start - 1];
    if (!one || one[0] === "=" || one[0] !== next[0] || one[1] !== next[1]) break;
    const [at, following] = [positionIn(one), positionIn(next)];
    if (at === undefined || following === undefined || (one[0] === "-" ? at <= following : at >= following)) break;
    next = one;
  }
  return start;
}

/** The records of a run of edits, whose last one comes first, as they are taken back. */
function tokensOf(order: TokenOrder | undefined, run: readonly JournalEdit[]): readonly Token[] {
  const [first] = run;
  if (!order || !first) return run.map(() => 0);
  const positions = run.flatMap((edit) => positionIn(edit) ?? []);
  if (first[0] === "-") return order.insert(positions);
  if (first[0] === "=") return positions.map((position) => order.at(position));
  return positions.length === 0 ? [order.pop()] : order.remove(positions);
}

function positionIn(edit: JournalEdit): number | undefined {
  return (edit[0] === "+" ? edit[3] : edit[2]) ?? undefined;
}

function afterOf(edit: JournalEdit): Json | undefined {
  if (edit[0] === "-") return undefined;
  return edit[0] === "+" ? edit[2] : edit[3];
}

function closed(edits: readonly OpenEdit[], v: number): Edit[] {
  return edits.map(({ name, slot, before, after }) => ({
    name,
    // Of its own for each version: no other record has it.
    before: before === undefined ? undefined : new StoredRecord(before, -v, slot()),
    after: after === undefined ? undefined : new StoredRecord(after, v, slot()),
  }));
}
