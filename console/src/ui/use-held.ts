import { useEffect, useState } from "preact/hooks";

/** Whether something has been so for a while: what lasts a moment only is not worth a notice. */
export function useHeld(isSo: boolean, ms: number): boolean {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    setHeld(false);
    if (!isSo) return;
    const timer = setTimeout(() => setHeld(true), ms);
    return () => clearTimeout(timer);
  }, [isSo, ms]);
  return isSo && isHeld;
}
