import type { Condition } from "../../query/query.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { Access } from "./access.ts";
import { inOrder } from "./in-order.ts";
import type { EqualityIndex } from "./indexes/equality-index.ts";
import { type Indexes, PendingIndex } from "./indexes/index-set.ts";

/** The records that have one of the values of a condition; its index while that is being built. */
export function equalityAccess(indexes: Indexes, condition: Condition): Access | PendingIndex {
  const index = indexes.equality(condition.path);
  return index instanceof PendingIndex ? index : new EqualityAccess(index, condition);
}

/** Hot path: a class, because an object with a closure per method would be several allocations per request. */
class EqualityAccess implements Access {
  readonly meets: readonly [Condition];
  readonly isExact = true;
  /** The one value of most conditions. */
  readonly #value: string | undefined;
  /** Those of one value change with the next write, so readers get copies. */
  readonly #records: readonly StoredRecord[];

  constructor(index: EqualityIndex, condition: Condition) {
    const { values } = condition;
    this.meets = [condition];
    this.#value = values.length === 1 ? values[0] : undefined;
    this.#records = this.#value === undefined ? withOneOf(values, index) : index.get(this.#value);
  }

  get name(): string {
    return `equality index on ${this.meets[0].path.text}`;
  }

  get estimate(): number {
    return this.#records.length;
  }

  collect(): readonly StoredRecord[] {
    return this.#value === undefined ? this.#records : this.#records.slice();
  }

  slice(from: number, to: number): readonly StoredRecord[] {
    return this.#records.slice(from, to);
  }
}

function withOneOf(values: readonly string[], index: EqualityIndex): readonly StoredRecord[] {
  const found: StoredRecord[] = [];
  for (const text of new Set(values)) index.collect(text, found);
  return inOrder(found);
}
