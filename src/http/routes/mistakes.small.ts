/** A small worker says nothing about mistakes: no terminal shows it, and the whole worker does. */
export function warnOfPlainList(): undefined {
  return undefined;
}

export async function warnOfList(): Promise<object> {
  return {};
}

export const warnOfRecord = warnOfList;

export function warnOfSingleton(): object {
  return {};
}
