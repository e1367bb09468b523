import type { CodedResponse, Operation } from "../read/api-document.ts";

/** The response that an operation declares for a status: by its code, else by its range, else `default`. */
export function declaredResponse({ responses }: Operation, status: number): CodedResponse | undefined {
  const exact = responses.find(({ range, status: own }) => range === undefined && own === status);
  if (exact) return exact;
  const holding = responses.filter(({ range }) => range && status >= range.min && status <= range.max);
  return holding.sort((a, b) => width(a) - width(b))[0];
}

function width({ range }: CodedResponse): number {
  return range ? range.max - range.min : 0;
}
