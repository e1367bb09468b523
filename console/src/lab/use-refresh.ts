import { useEffect, useState } from "preact/hooks";
import { asRefusal, type Refusal } from "../api/refusal.ts";

/** Something that is loaded again and again while the page is visible. */
export interface Refreshed {
  /** Whether it was loaded at least once. */
  readonly isLoaded: boolean;
  /** Why it was not loaded the last time. */
  readonly refusal: Refusal | undefined;
  readonly refresh: () => Promise<void>;
}

const EVERY_MS = 1_000;
/** A server that is gone is asked less often. */
const AFTER_REFUSAL_MS = 5_000;
/** Features that are off stay off until the server starts again. */
const OFF_CODES = ["ROUTE_NOT_FOUND", "SANDBOXES_OFF"];

export function useRefresh(load: () => Promise<void>): Refreshed {
  const [state, setState] = useState<Pick<Refreshed, "isLoaded" | "refusal">>({ isLoaded: false, refusal: undefined });
  /** Resolves to the time after which to load again, if at all. */
  const refresh = async (): Promise<number | undefined> => {
    try {
      await load();
      setState((before) => (before.isLoaded && !before.refusal ? before : { isLoaded: true, refusal: undefined }));
      return EVERY_MS;
    } catch (thrown) {
      const refusal = asRefusal(thrown);
      setState(({ isLoaded }) => ({ isLoaded, refusal }));
      return OFF_CODES.includes(refusal.code) ? undefined : AFTER_REFUSAL_MS;
    }
  };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const round = async (): Promise<void> => {
      const pauseMs = document.hidden ? EVERY_MS : await refresh();
      if (!isOver && pauseMs !== undefined) timer = setTimeout(() => void round(), pauseMs);
    };
    void round();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
  return { ...state, refresh: async () => void (await refresh()) };
}
