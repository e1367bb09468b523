/** A small worker says nothing about mistakes: no terminal shows it, and the whole worker does. */
export function warnOfMistakes(): undefined {
  return undefined;
}

export async function warnOfRelations(): Promise<object> {
  return {};
}
