import { useEffect, useState } from "preact/hooks";

/** A server that restarts is back within this time. */
const PATIENCE_MS = 1_500;

/** Whether something has been so for a while: what lasts a moment only is not worth a notice. */
export function useHeld(isSo: boolean): boolean {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    setHeld(false);
    if (!isSo) return;
    const timer = setTimeout(() => setHeld(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isSo]);
  return isSo && isHeld;
}
