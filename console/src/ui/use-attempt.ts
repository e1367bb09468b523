import { useRef, useState } from "preact/hooks";
import { asRefusal, type Refusal } from "../api/refusal.ts";

/**
 * Does one thing at a time, and keeps why it failed. A second click before the page is drawn again does nothing.
 * `explain` words the failure.
 */
export function useAttempt(explain: (thrown: unknown) => Refusal = asRefusal) {
  const [refusal, setRefusal] = useState<Refusal>();
  const [isBusy, setBusy] = useState(false);
  const isAtWork = useRef(false);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (isAtWork.current) return;
    isAtWork.current = true;
    setBusy(true);
    setRefusal(undefined);
    try {
      await work();
    } catch (thrown) {
      setRefusal(explain(thrown));
    } finally {
      isAtWork.current = false;
      setBusy(false);
    }
  };
  return { refusal, setRefusal, isBusy, attempt };
}
