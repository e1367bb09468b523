import { useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import { asRefusal, Refusal } from "../../api/refusal.ts";
import { useOverview } from "../../api/use-overview.ts";
import { MAX_REQUESTS } from "../../records/batch.ts";
import { Conflict } from "../../records/conflict.ts";
import { plural } from "../../ui/format.ts";
import { Problem } from "../../ui/notice.tsx";
import { ViolationList } from "../../ui/violation-list.tsx";
import { fitsBatch, matchingRequests, type Picked } from "./bulk.ts";
import type { FieldChange } from "./bulk-requests.ts";

/** Of a path that is shown. */
const LONGEST_PATH = 200;

export interface BulkDialogProps {
  readonly picked: Picked;
  readonly onClose: () => void;
  /** It was written. */
  readonly onDone: () => void;
}

interface HowItGoesProps {
  readonly picked: Picked;
  readonly change: FieldChange | undefined;
  readonly safety: Safety;
}

/** Says what is sent, and whether it can be undone. */
export function HowItGoes({ picked, change, safety }: HowItGoesProps) {
  const { history } = useOverview();
  if (history || fitsBatch(picked)) {
    return <p class="hint">All of them in one change, or none. You can undo it in one step.</p>;
  }
  const [first, ...others] = matchingRequests(picked, change);
  const { method = "", path = "" } = first ?? {};
  return (
    <div class="notice-box">
      <p>
        A batch can name {plural(MAX_REQUESTS, "record")}, so these are chosen by a filter. They change together or not
        at all, and <strong>it cannot be undone here</strong>.
        {!safety.isOffered && " Save a snapshot first if you may need the old data."}
      </p>
      {first && (
        <code>
          {method} {path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path}
          {others.length > 0 && `, and ${others.length} more in one batch`}
        </code>
      )}
      {safety.isOffered && (
        <label class="check">
          <input
            type="checkbox"
            checked={safety.isWanted}
            onChange={(event) => safety.want(event.currentTarget.checked)}
          />
          Save a snapshot first
        </label>
      )}
    </div>
  );
}

/** A snapshot before a change that has no way back. */
interface Safety {
  readonly isOffered: boolean;
  readonly isWanted: boolean;
  readonly want: (isWanted: boolean) => void;
  readonly save: () => Promise<void>;
}

export function useSafety(picked: Picked): Safety {
  const { snapshots, history } = useOverview();
  const [isWanted, want] = useState(true);
  const isOffered = snapshots && !history && !fitsBatch(picked);
  const save = async (): Promise<void> => {
    if (isOffered && isWanted) await ask("POST", "/__snapshots__", { body: { name: "before-bulk-change" } });
  };
  return { isOffered, isWanted, want, save };
}

export function Refused({ refusal }: { refusal: Refusal | undefined }) {
  if (!refusal) return null;
  return (
    <Problem refusal={refusal}>
      <p>{refusal.message}</p>
      {refusal.violations.length > 0 && <ViolationList violations={refusal.violations} showsValues />}
    </Problem>
  );
}

export function explained(thrown: unknown, collection: string): Refusal {
  if (thrown instanceof Conflict) {
    return new Refusal(412, "", "Nothing was changed", `Records of ${collection} have just changed. Try again.`);
  }
  const { status, code, title, message, violations } = asRefusal(thrown);
  if (status === 412) {
    return new Refusal(status, code, "Nothing was changed", "One of the records has just changed. Try again.");
  }
  return new Refusal(status, code, status === 0 ? title : `Nothing was changed: ${title}`, message, violations);
}
