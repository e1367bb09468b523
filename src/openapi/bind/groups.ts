import type { ApiDocument, Operation } from "../read/api-document.ts";
import { isIdLike } from "./ids/id-key.ts";
import { type PathStep, pathKey, pathStepsOf } from "./path-shape.ts";
import { leaveOutVerbs } from "./verb-paths.ts";
import { nounOf, wordsIn } from "./words.ts";

/** The operations of one path, and of those that are spelt a little differently. */
export interface Group {
  readonly key: string;
  readonly steps: readonly PathStep[];
  readonly operations: readonly Operation[];
}

export class Groups {
  readonly #groups = new Map<string, Group & { operations: Operation[] }>();
  #nouns: Map<string, Group[]> | undefined;
  #below: Map<string, Group[]> | undefined;
  /** Operations at paths that no collection can have, and those that a recording has found to be of none. */
  readonly others: readonly Operation[];

  constructor({ operations }: ApiDocument) {
    leaveOutVerbs(operations);
    this.others = operations.filter((operation) => {
      const steps = pathStepsOf(operation.path);
      if (!steps || operation.isUnbound) return true;
      const key = pathKey(steps);
      const group = this.#groups.get(key);
      if (!group) this.#groups.set(key, { key, steps, operations: [operation] });
      else if (isSurerId(steps, group.steps)) {
        this.#groups.set(key, { ...group, steps, operations: [...group.operations, operation] });
      } else group.operations.push(operation);
      return false;
    });
  }

  all(): Iterable<Group> {
    return this.#groups.values();
  }

  /** Paths that end in the same noun, in the singular or in the plural. */
  ofNoun(name: string): readonly Group[] {
    this.#nouns ??= grouped(this.#groups.values(), ({ steps }) => {
      const last = steps.at(-1);
      return last?.kind === "fixed" ? nounOf(last.text) : undefined;
    });
    return this.#nouns.get(nounOf(name)) ?? [];
  }

  /** The path of single records below that of a list. */
  itemBelow(listKey: string): Group | undefined {
    return this.#groups.get(`${listKey}/{}`);
  }

  /** Paths with one more fixed segment. */
  below(key: string): readonly Group[] {
    this.#below ??= grouped(this.#groups.values(), ({ steps }) =>
      steps.at(-1)?.kind === "fixed" ? pathKey(steps.slice(0, -1)) : undefined,
    );
    return this.#below.get(key) ?? [];
  }

  at(key: string): Group | undefined {
    return this.#groups.get(key);
  }
}

export function operationOf(group: Group | undefined, method: string): Operation | undefined {
  return group?.operations.find((operation) => operation.method === method);
}

/** `/pets/{petId}` says more of the id than `/pets/{filter}` does. */
function isSurerId(steps: readonly PathStep[], known: readonly PathStep[]): boolean {
  const [isId, wasId] = [steps, known].map((one) => {
    const last = one.at(-1);
    return last?.kind === "wildcard" && isIdLike(wordsIn(last.name));
  });
  return isId === true && wasId === false;
}

/** The wildcard at the end of a path of single records. */
export function idParameterOf(item: Group | undefined): string | undefined {
  const last = item?.steps.at(-1);
  return last?.kind === "wildcard" ? last.name : undefined;
}

function grouped(groups: Iterable<Group>, keyOfGroup: (group: Group) => string | undefined): Map<string, Group[]> {
  const found = new Map<string, Group[]>();
  for (const group of groups) {
    const key = keyOfGroup(group);
    if (key === undefined) continue;
    const known = found.get(key);
    if (known) known.push(group);
    else found.set(key, [group]);
  }
  return found;
}
