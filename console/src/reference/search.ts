import type { Group, Operation, Reference } from "./reference.ts";

export interface Found {
  readonly groups: readonly Group[];
  readonly schemas: readonly string[];
}

/** The operations and schemas that contain every word, the groups of which keep their order. */
export function search({ groups, schemas }: Reference, text: string): Found {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { groups, schemas };
  const hasAll = (haystack: string): boolean => words.every((word) => haystack.toLowerCase().includes(word));
  const found = groups.flatMap((group) => {
    const operations = group.operations.filter((operation) => hasAll(textOf(operation)));
    return operations.length === 0 ? [] : [{ ...group, operations }];
  });
  return { groups: found, schemas: schemas.filter((name) => hasAll(name)) };
}

function textOf({ key, method, path, summary, group, parameters }: Operation): string {
  return [method, path, summary, key, group, ...parameters.map(({ name }) => name)].join(" ");
}
