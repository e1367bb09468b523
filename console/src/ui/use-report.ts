import { useState } from "preact/hooks";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { lastSaid, type Said } from "./said.ts";

/** Does things and says so, or keeps why they failed. */
export function useReport(afterwards: () => Promise<unknown> = async () => undefined) {
  const [refusal, setRefusal] = useState<Refusal>();
  const attempt = async (work: () => Promise<Said>): Promise<void> => {
    setRefusal(undefined);
    try {
      lastSaid.set(await work());
      await afterwards();
    } catch (thrown) {
      setRefusal(asRefusal(thrown));
    }
  };
  return { refusal, attempt };
}
