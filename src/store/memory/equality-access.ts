import type { Condition } from "../../query/query.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { Access } from "./access.ts";
import { inOrder } from "./in-order.ts";
import type { EqualityIndex } from "./indexes/equality-index.ts";
import { type Indexes, PendingIndex } from "./indexes/index-set.ts";

/** The records that have one of the values of a condition; its index while that is being built. */
export function equalityAccess(indexes: Indexes, condition: Condition): Access | PendingIndex {
  const index = indexes.equality(condition.path);
  if (index instanceof PendingIndex) return index;
  return condition.values.length === 1 ? new OneValue(index, condition) : new SeveralValues(index, condition);
}

/** Hot path: a class, because an object with a closure per method would be several allocations per request. */
class OneValue implements Access {
  readonly meets: readonly Condition[];
  readonly isExact = true;
  readonly #index: EqualityIndex;
  /** Changes with the next write, so readers get copies. */
  readonly #records: readonly StoredRecord[];

  constructor(index: EqualityIndex, condition: Condition) {
    this.meets = [condition];
    this.#index = index;
    this.#records = index.get(condition.values[0]!);
  }

  get name(): string {
    return nameOf(this.meets[0]!);
  }

  get estimate(): number {
    return this.#records.length;
  }

  collect(): readonly StoredRecord[] {
    return this.#records.slice();
  }

  slice(from: number, to: number): readonly StoredRecord[] {
    return this.#records.slice(from, to);
  }

  joined(): string | undefined {
    return this.#index.joined(this.meets[0]!.values[0]!);
  }

  get hasAsciiTexts(): boolean {
    return this.#index.hasAsciiTexts;
  }
}

class SeveralValues implements Access {
  readonly meets: readonly Condition[];
  readonly isExact = true;
  readonly #records: readonly StoredRecord[];

  constructor(index: EqualityIndex, condition: Condition) {
    this.meets = [condition];
    const found: StoredRecord[] = [];
    for (const text of new Set(condition.values)) index.collect(text, found);
    this.#records = inOrder(found);
  }

  get name(): string {
    return nameOf(this.meets[0]!);
  }

  get estimate(): number {
    return this.#records.length;
  }

  collect(): readonly StoredRecord[] {
    return this.#records;
  }
}

function nameOf({ path }: Condition): string {
  return `equality index on ${path.text}`;
}
