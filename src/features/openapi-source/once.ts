/** Puts work off until it is needed: a document may have hundreds of collections, and most are never used. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
