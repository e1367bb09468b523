import { useEffect, useState } from "preact/hooks";

const MINUTE = 60_000;

/** The current time, at most a minute old: what relative times are relative to. */
export function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
}
