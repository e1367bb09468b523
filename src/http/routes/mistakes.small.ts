/** A small worker says nothing about mistakes: no terminal shows it, and the whole worker does. */
export const knownPaths = new WeakMap<object, Set<string>>();

export function warnOfRequest(): void {}

export function warnOfPlainList(): undefined {
  return undefined;
}

export async function warnOfList(): Promise<object> {
  return {};
}

export async function warnOfRecord(): Promise<object> {
  return {};
}

export function warnOfSingleton(): object {
  return {};
}
