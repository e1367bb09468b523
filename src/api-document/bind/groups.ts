import type { ApiDocument, Operation } from "../api-document.ts";
import { keyOf, type Step, stepsOf } from "./path-shape.ts";

/** The operations of one path, and of those that are spelt a little differently. */
export interface Group {
  readonly key: string;
  readonly steps: readonly Step[];
  readonly operations: readonly Operation[];
}

export class Groups {
  readonly #groups = new Map<string, Group & { operations: Operation[] }>();
  /** Operations at paths that no collection can have. */
  readonly others: readonly Operation[];

  constructor({ operations }: ApiDocument) {
    this.others = operations.filter((operation) => {
      const steps = stepsOf(operation.path);
      if (!steps) return true;
      const key = keyOf(steps);
      const group = this.#groups.get(key);
      if (group) group.operations.push(operation);
      else this.#groups.set(key, { key, steps, operations: [operation] });
      return false;
    });
  }

  all(): Iterable<Group> {
    return this.#groups.values();
  }

  /** The path of single records below that of a list. */
  itemBelow(listKey: string): Group | undefined {
    return this.#groups.get(`${listKey}/{}`);
  }

  at(key: string): Group | undefined {
    return this.#groups.get(key);
  }
}

export function operationOf(group: Group | undefined, method: string): Operation | undefined {
  return group?.operations.find((operation) => operation.method === method);
}
