import { useEffect, useState } from "preact/hooks";
import { moment } from "../api/moment.ts";
import { useStore } from "../api/store.ts";
import { useEvent } from "../api/use-event.ts";
import { type LastChange, lastChange, redoLast, undoLast, undoProblem } from "../records/undoing.ts";
import { draftOfRequest } from "../request/request-draft.ts";
import { openInBuilder } from "../request/request-state.ts";
import { formatRoute } from "../routes/route.ts";
import { Button } from "../ui/button.tsx";
import { formatMs } from "../ui/format.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { lastSaid, type Said } from "../ui/said.ts";

const SHOWN_MS = 20_000;

/** Announces the last change, with its request and the ways back and forth. Nothing is changed from the past. */
export function LastChangeToast() {
  const change = useStore(lastChange);
  const problem = useStore(undoProblem);
  const isPast = useStore(moment) !== undefined;
  const [dismissed, setDismissed] = useState<LastChange>();
  const said = useStore(lastSaid);
  const dismiss = useEvent((): void => {
    undoProblem.set("");
    lastSaid.set(undefined);
    setDismissed(change);
  });
  useEffect(() => {
    const timer = setTimeout(dismiss, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [dismiss, change, problem, said]);
  const isShown = !isPast && (problem !== "" || (change !== undefined && change !== dismissed));
  return (
    <div class="toast-place" role="status">
      {said && <SaidToast said={said} onDismiss={dismiss} />}
      {!said && isShown && (
        <div class="row toast">
          <div class="toast-text">
            <strong class="cut">{problem === "" ? change?.title : problem}</strong>
            {change && (
              <code class="cut">
                {change.write.method} {change.write.path} · {change.write.status} · {formatMs(change.write.durationMs)}
              </code>
            )}
          </div>
          {change && <ToastButtons change={change} />}
          <IconButton icon="close" label="Dismiss" onClick={dismiss} />
        </div>
      )}
    </div>
  );
}

/** Something that changed no records. */
function SaidToast({ said, onDismiss }: { said: Said; onDismiss: () => void }) {
  const { text, undo } = said;
  return (
    <div class="row toast">
      <div class="toast-text">
        <strong class="cut">{text}</strong>
      </div>
      {undo && (
        <Button
          look="small"
          icon="undo"
          onClick={() => {
            onDismiss();
            return undo();
          }}
        >
          Undo
        </Button>
      )}
      <IconButton icon="close" label="Dismiss" onClick={onDismiss} />
    </div>
  );
}

function ToastButtons({ change }: { change: LastChange }) {
  const { created } = change.write;
  return (
    <>
      {created && (
        <a class="button small" href={hrefOf(created)}>
          Open
        </a>
      )}
      {change.canUndo && (
        <Button look="small" icon="undo" onClick={() => undoLast(change)}>
          Undo
        </Button>
      )}
      {change.canRedo && (
        <Button look="small" icon="redo" onClick={() => redoLast(change)}>
          Redo
        </Button>
      )}
      <Button look="small" onClick={() => showRequest(change)}>
        Show request
      </Button>
    </>
  );
}

/** The new record is at the end of its list, mostly out of sight. */
function hrefOf({ collection, id }: NonNullable<LastChange["write"]["created"]>): string {
  return formatRoute({ view: "data", member: collection, record: { kind: "id", id }, query: "" });
}

function showRequest({ write }: LastChange): void {
  const body = write.body === undefined ? "" : JSON.stringify(write.body, null, 2);
  // The tag belonged to the state before: the request as it is sent again must hold for the state now.
  const headers = write.headers.filter(([name]) => name !== "If-Match");
  openInBuilder(draftOfRequest(write.method, write.path, headers, body));
}
