import type { Parameters } from "../query/parameters.ts";
import type { Example } from "./example.ts";

/** A parameter that is as in the example counts for it, one that is not, against it. Others do not matter. */
export function queryScore({ request }: Example, parameters: Parameters): number {
  let score = 0;
  for (const { name, value, wildcard } of request.query) {
    const given = parameters.get(name);
    if (given === undefined) score -= 2;
    else if (wildcard !== undefined) score += 1;
    else score += given.includes(value) ? 2 : -2;
  }
  return score;
}

export function hasSameQuery({ request }: Example, query: Example["request"]["query"]): boolean {
  return (
    request.query.length === query.length &&
    request.query.every(
      ({ name, value }, position) => name === query[position]!.name && value === query[position]!.value,
    )
  );
}

/** The same for the same pairs in any order. */
export function queryKey(pairs: readonly (readonly [name: string, value: string])[]): string {
  if (pairs.length === 1) return `${pairs[0]![0]}\n${pairs[0]![1]}`;
  return pairs
    .map(([name, value]) => `${name}\n${value}`)
    .sort()
    .join("\n\n");
}
