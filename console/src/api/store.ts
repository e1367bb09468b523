import { useEffect, useState } from "preact/hooks";

/** A value shared by several components: read it, set it, subscribe to it. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** Returns a function that unsubscribes. */
  listen(listener: (value: T) => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<(value: T) => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener(value);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Reads the value of a store; the component is rendered again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    // It may have changed since the first render.
    setValue(() => store.get());
    return store.listen((next) => setValue(() => next));
  }, [store]);
  return value;
}
