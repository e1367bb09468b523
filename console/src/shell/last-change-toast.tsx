import { useEffect, useState } from "preact/hooks";
import { asRefusal } from "../api/refusal.ts";
import { createStore, useStore } from "../api/store.ts";
import { Conflict, type LastChange, lastChange } from "../records/writes.ts";
import { draftOfRequest } from "../request/request-draft.ts";
import { openInBuilder } from "../request/request-state.ts";
import { Button } from "../ui/button.tsx";
import { formatMs } from "../ui/format.ts";
import { IconButton } from "../ui/icon-button.tsx";

const SHOWN_MS = 20_000;

/** Why the last undoing failed, if it did. */
const undoProblem = createStore("");

/** Announces the last change, with its request and an undo button. */
export function LastChangeToast() {
  const change = useStore(lastChange);
  const problem = useStore(undoProblem);
  const [dismissed, setDismissed] = useState<LastChange>();
  useEffect(() => {
    undoProblem.set("");
    const timer = setTimeout(() => setDismissed(change), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [change]);
  const isShown = change !== undefined && change !== dismissed;
  return (
    <div class="toast-place" role="status">
      {isShown && (
        <div class="row toast">
          <div class="toast-text">
            <strong class="cut">{problem === "" ? change.title : problem}</strong>
            <code class="cut">
              {change.write.method} {change.write.path} · {change.write.status} · {formatMs(change.write.durationMs)}
            </code>
          </div>
          {change.undo && (
            <Button look="small" icon="undo" onClick={() => undoLast()}>
              Undo
            </Button>
          )}
          <Button look="small" onClick={() => showRequest(change)}>
            Show request
          </Button>
          <IconButton icon="close" label="Dismiss" onClick={() => setDismissed(change)} />
        </div>
      )}
    </div>
  );
}

let isUndoing = false;

export async function undoLast(): Promise<void> {
  if (isUndoing) return;
  isUndoing = true;
  try {
    await lastChange.get()?.undo?.();
  } catch (thrown) {
    undoProblem.set(
      thrown instanceof Conflict
        ? "Not undone: the record has changed since"
        : `Not undone: ${asRefusal(thrown).message}`,
    );
  } finally {
    isUndoing = false;
  }
}

function showRequest({ write }: LastChange): void {
  const body = write.body === undefined ? "" : JSON.stringify(write.body, null, 2);
  // The tag belonged to the state before: the request as it is sent again must hold for the state now.
  const headers = write.headers.filter(([name]) => name !== "If-Match");
  openInBuilder(draftOfRequest(write.method, write.path, headers, body));
}
