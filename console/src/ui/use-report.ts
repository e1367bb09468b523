import { useState } from "preact/hooks";
import { asRefusal, type Refusal } from "../api/refusal.ts";

/** Does things and keeps the report: what was done, or why it failed. */
export function useReport(afterwards: () => Promise<unknown> = async () => undefined) {
  const [said, setSaid] = useState("");
  const [refusal, setRefusal] = useState<Refusal>();
  const attempt = async (work: () => Promise<string>): Promise<void> => {
    setRefusal(undefined);
    try {
      setSaid(await work());
      await afterwards();
    } catch (thrown) {
      setRefusal(asRefusal(thrown));
    }
  };
  return { said, setSaid, refusal, attempt };
}
