import { useEffect, useState } from "preact/hooks";

const SECOND_MS = 1_000;

/** The time of the browser, updated at this interval. While it is not running, it stands still. */
export function useNow(everyMs = SECOND_MS, isRunning = true): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isRunning]);
  return now;
}
