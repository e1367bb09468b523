import { useEffect, useState } from "preact/hooks";
import { dataVersion } from "../../api/live-data.ts";
import { idKeyOf } from "../../api/overview.ts";
import { asRefusal, type Refusal } from "../../api/refusal.ts";
import { useStore } from "../../api/store.ts";
import { useOverview } from "../../api/use-overview.ts";
import { isDotId, readingPath } from "../../records/record-address.ts";
import { createRecord, type ReadRecord, readRecord } from "../../records/writes.ts";
import { unsaved } from "../../routes/unsaved.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, Loading } from "../../ui/notice.tsx";
import { Related } from "../related.tsx";
import { RecordEditor } from "./lazy-record-editor.ts";

interface RecordDrawerProps {
  readonly collection: string;
  /** Undefined: a new one. */
  readonly id: string | undefined;
  readonly onClose: () => void;
}

/** One record at the side of its list. */
export function RecordDrawer({ collection, id, onClose }: RecordDrawerProps) {
  const overview = useOverview();
  const idKey = idKeyOf(overview, collection);
  const path = id === undefined ? undefined : readingPath(collection, idKey, id);
  const isFixed = id !== undefined && isDotId(id);
  const [isDirty, setDirty] = useState(false);
  const [asksToDiscard, setAsksToDiscard] = useState(false);
  const { record, refusal, reload } = useRecord(path, isDirty);
  const close = (): void => (isDirty ? setAsksToDiscard(true) : onClose());
  return (
    <Dialog title={id === undefined ? `New in ${collection}` : `${collection} / ${id}`} shape="drawer" onClose={close}>
      {refusal && <Failure refusal={refusal} onRetry={reload} />}
      {!refusal && path !== undefined && !record && <Loading what="the record" />}
      {!refusal && (path === undefined || record) && (
        <>
          {isFixed && (
            <p class="hint">
              No browser can send a request for the id <code>{id}</code>, so this record can be read here but not
              changed. To change it, use curl with <code>--path-as-is</code>.
            </p>
          )}
          <RecordEditor
            key={record?.etag ?? "new"}
            isFixed={isFixed}
            name={collection}
            path={path}
            record={record}
            onDirty={setDirty}
            onSaved={onClose}
            onReread={reload}
            onCreate={async (value) => {
              await createRecord(collection, idKey, value);
              onClose();
            }}
            onGone={onClose}
          />
          {record && <Related collection={collection} record={record.value} />}
        </>
      )}
      {asksToDiscard && (
        <Confirm
          title="Discard your changes?"
          action="Discard"
          onConfirm={() => {
            unsaved.set(false);
            onClose();
          }}
          onClose={() => setAsksToDiscard(false)}
        >
          <p>It has not been saved.</p>
        </Confirm>
      )}
    </Dialog>
  );
}

/** The record, reloaded when the data changes, except during editing. */
export function useRecord(path: string | undefined, isDirty: boolean) {
  const [record, setRecord] = useState<ReadRecord>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [round, setRound] = useState(0);
  const version = useStore(dataVersion);
  useEffect(() => {
    if (path === undefined || isDirty) return;
    let isCurrent = true;
    readRecord(path).then(
      (read) => {
        if (!isCurrent) return;
        setRecord((known) => (known?.etag !== undefined && known.etag === read.etag ? known : read));
        setRefusal(undefined);
      },
      (thrown) => isCurrent && setRefusal(asRefusal(thrown)),
    );
    return () => {
      isCurrent = false;
    };
  }, [path, version, round]);
  return { record, refusal, reload: () => setRound(round + 1) };
}
