import type { Group, Operation, Reference } from "./reference.ts";

export interface Found {
  readonly groups: readonly Group[];
  readonly schemas: readonly string[];
}

/** The operations and schemas that contain every word, the closest match first. */
export function search({ groups, schemas }: Reference, text: string): Found {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { groups, schemas };
  const hasAll = (haystack: string): boolean => words.every((word) => haystack.toLowerCase().includes(word));
  const found = groups.flatMap((group) => {
    const operations = group.operations.filter((operation) => hasAll(textOf(operation))).toSorted(byRank(words));
    return operations.length === 0 ? [] : [{ ...group, operations }];
  });
  const byBest = byRank(words);
  return {
    groups: found.toSorted((a, b) => byBest(a.operations[0], b.operations[0])),
    schemas: schemas.filter((name) => hasAll(name)),
  };
}

function textOf({ key, method, path, summary, group, parameters }: Operation): string {
  return [method, path, summary, key, group, ...parameters.map(({ name }) => name)].join(" ");
}

/** Orders operations by how well they match; equal ones keep their order. */
function byRank(words: readonly string[]): (a: Operation | undefined, b: Operation | undefined) => number {
  return (a, b) => (a && b ? rankOf(a, words) - rankOf(b, words) : 0);
}

/** 0 for the very path or summary, then those that begin with it, those that contain it, and the rest. */
function rankOf({ method, path, summary }: Operation, words: readonly string[]): number {
  const phrase = words.filter((word) => word !== method.toLowerCase()).join(" ");
  const texts = [path.toLowerCase(), summary.toLowerCase()];
  if (texts.includes(phrase)) return 0;
  if (texts.some((text) => text.startsWith(phrase))) return 1;
  return texts.some((text) => text.includes(phrase)) ? 2 : 3;
}
