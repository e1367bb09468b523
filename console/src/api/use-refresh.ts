import { useEffect, useState } from "preact/hooks";
import { connection, news } from "./live-data.ts";
import { asRefusal, type Refusal } from "./refusal.ts";

/** Something that is loaded again and again while the page is visible. */
export interface Refreshed {
  /** Whether it was loaded at least once. */
  readonly isLoaded: boolean;
  /** Why it was not loaded the last time. */
  readonly refusal: Refusal | undefined;
  readonly refresh: () => Promise<void>;
}

/** The server tells when a list has changed; numbers in it, such as the time that a sandbox has left, change silently. */
const EVERY_MS = 5_000;
/** Features that are off stay off until the server starts again. */
const OFF_CODES = ["ROUTE_NOT_FOUND", "SANDBOXES_OFF"];

export function useRefresh(topic: "faults" | "sandboxes", load: () => Promise<void>): Refreshed {
  const [state, setState] = useState<Pick<Refreshed, "isLoaded" | "refusal">>({ isLoaded: false, refusal: undefined });
  /** Resolves to whether to go on. */
  const refresh = async (): Promise<boolean> => {
    try {
      await load();
      setState((before) => (before.isLoaded && !before.refusal ? before : { isLoaded: true, refusal: undefined }));
      return true;
    } catch (thrown) {
      const refusal = asRefusal(thrown);
      setState(({ isLoaded }) => ({ isLoaded, refusal }));
      return !OFF_CODES.includes(refusal.code);
    }
  };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const round = async (): Promise<void> => {
      clearTimeout(timer);
      if (!document.hidden && !(await refresh())) stop();
      clearTimeout(timer);
      if (!isOver) timer = setTimeout(() => void round(), EVERY_MS);
    };
    const ends = [
      news.listen((told) => {
        if (told.topic === topic || told.topic === "any") void round();
      }),
      connection.listen((now) => {
        if (now === "lost") void round();
      }),
    ];
    const stop = (): void => {
      isOver = true;
      clearTimeout(timer);
      for (const end of ends) end();
    };
    void round();
    return stop;
  }, []);
  return { ...state, refresh: async () => void (await refresh()) };
}
