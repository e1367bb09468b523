/** As Node's for the values that JSON has. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  if (Array.isArray(one) && one.length !== (other as unknown[]).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isDeepStrictEqual(valueAt(one, key), valueAt(other, key)));
}

function valueAt(object: object, key: string): unknown {
  return (object as Record<string, unknown>)[key];
}
