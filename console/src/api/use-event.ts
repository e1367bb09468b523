import { useCallback, useRef } from "preact/hooks";

/** A function that stays the same and does what the last render says: for effects that it must not start again. */
export function useEvent<Args extends readonly unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(work);
  latest.current = work;
  return useCallback((...args: Args) => latest.current(...args), []);
}
