import type { StoredRecord } from "./stored-record.ts";

type TextsOf = (record: StoredRecord) => readonly string[];

/** The slots of records by the texts that they have in one field. */
export class HeldTexts {
  readonly #textsOf: TextsOf;
  readonly #slots = new Map<string, Set<number>>();

  constructor(textsOf: TextsOf) {
    this.#textsOf = textsOf;
  }

  /** Follows a change; either state may be missing. */
  note(before: StoredRecord | undefined, after: StoredRecord | undefined): void {
    if (before) for (const text of this.#textsOf(before)) this.#slots.get(text)?.delete(before.slot);
    if (!after) return;
    for (const text of this.#textsOf(after)) {
      const slots = this.#slots.get(text);
      if (slots) slots.add(after.slot);
      else this.#slots.set(text, new Set([after.slot]));
    }
  }

  slotsOf(text: string): Iterable<number> {
    return this.#slots.get(text) ?? [];
  }
}
