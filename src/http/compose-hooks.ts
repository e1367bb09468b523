type Hook<Given extends readonly unknown[], Result> = (...given: Given) => Result;

/** One hook of several features: the first that returns something wins. A single one costs nothing extra. */
export function firstOf<Given extends readonly unknown[], Result>(
  hooks: readonly Hook<Given, Result | undefined>[],
): Hook<Given, Result | undefined> | undefined {
  if (hooks.length < 2) return hooks[0];
  return (...given) => {
    for (const hook of hooks) {
      const made = hook(...given);
      if (made !== undefined) return made;
    }
    return undefined;
  };
}

/** One hook of several features: all of them run, in order. */
export function eachOf<Given extends readonly unknown[]>(
  hooks: readonly Hook<Given, void>[],
): Hook<Given, void> | undefined {
  if (hooks.length < 2) return hooks[0];
  return (...given) => {
    for (const hook of hooks) hook(...given);
  };
}
