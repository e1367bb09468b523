import type { AlteredMember, HistoryLimits } from "../../history.ts";
import type { Change } from "../../store.ts";
import { bytesOfEdits } from "../../stored-record.ts";
import type { MembersBefore } from "../state.ts";
import type { KeptChange, WayBack } from "./kept-change.ts";
import { ALL, bytesOfMember } from "./weigh.ts";

/** A page loads its worker before its first response, so that has no room for visits of the past: changes are only undone. */
export class KeptChanges {
  readonly #limits: HistoryLimits;
  #kept: UndoableChange[] = [];
  bytes = 0;
  birth = ALL;

  constructor(limits: HistoryLimits) {
    this.#limits = limits;
  }

  changeTo(version: number): UndoableChange | undefined {
    return this.#kept.find((kept) => kept.version === version);
  }

  noteChange({ version, edits, isOrdered = false }: Change): void {
    this.#push(version, { kind: "change", edits, isOrdered }, bytesOfEdits(edits, this.birth));
  }

  noteMembers(version: number, edit: AlteredMember, { before }: { readonly before: MembersBefore }): void {
    this.#push(version, { kind: "members", edit, before }, bytesOfMember(before.removed, this.birth));
  }

  /** Nothing undoes that. */
  noteExchange(): void {
    this.clear();
  }

  #push(version: number, back: WayBack, bytes: number): void {
    const { count = 0, maxBytes } = this.#limits;
    this.#kept.push({ version, back, bytes });
    this.bytes += bytes;
    while (this.#kept.length > count || this.bytes > maxBytes) this.bytes -= this.#kept.shift()?.bytes ?? this.bytes;
  }

  /** Forgets the latest version, whose change could not be saved and was undone. */
  takeBack(version: number): void {
    if (this.changeTo(version)) this.bytes -= this.#kept.pop()?.bytes ?? 0;
  }

  clear(): void {
    this.#kept = [];
    this.bytes = 0;
  }
}

type UndoableChange = Pick<KeptChange, "version" | "back" | "bytes">;
