import { useEffect, useRef, useState } from "preact/hooks";
import type { JsonObject } from "../../api/json.ts";
import { dataVersion } from "../../api/live-data.ts";
import { idKeyOf } from "../../api/overview.ts";
import { lastOf, refusalIn } from "../../api/resource.ts";
import { useStore } from "../../api/store.ts";
import { useEvent } from "../../api/use-event.ts";
import { useOverview } from "../../api/use-overview.ts";
import { useResource } from "../../api/use-resource.ts";
import type { ReadRecord } from "../../records/conflict.ts";
import { forgetRecent, noteRecent } from "../../records/recent-records.ts";
import { isDotId, readingPath } from "../../records/record-address.ts";
import { labelOf } from "../../records/relations.ts";
import { createRecord, readRecord } from "../../records/writes.ts";
import { unsaved } from "../../routes/unsaved.ts";
import { useConfirm } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { Failure, Loading } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Related } from "../related.tsx";
import { RecordEditor } from "./lazy-record-editor.ts";

/** The records before and behind one in its list. */
export interface Neighbours {
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
}

interface RecordDrawerProps {
  readonly collection: string;
  /** Undefined: a new one. */
  readonly id: string | undefined;
  /** Values that a new one begins with. */
  readonly preset: JsonObject | undefined;
  readonly neighbours: Neighbours;
  readonly onStep: (id: string) => void;
  readonly onClose: () => void;
}

type Tab = "record" | "history";

const TABS: readonly (readonly [Tab, string])[] = [
  ["record", "Record"],
  ["history", "History"],
];

const RecordHistory = lazy("the history", async () => (await import("../../history/record-history.tsx")).RecordHistory);

/** One record at the side of its list, or the versions of it. */
export function RecordDrawer({ collection, id, preset, neighbours, onStep, onClose }: RecordDrawerProps) {
  const overview = useOverview();
  const idKey = idKeyOf(overview, collection);
  const path = id === undefined ? undefined : readingPath(collection, idKey, id);
  const isFixed = id !== undefined && isDotId(id);
  const [isDirty, setDirty] = useState(false);
  const [tab, setTab] = useState<Tab>("record");
  const [question, ask] = useConfirm();
  const { record, refusal, reload } = useRecord(path, isDirty);
  useRecent({ collection, id }, record?.value, refusal?.status === 404);
  const discard = (): void => {
    unsaved.set(false);
    onClose();
  };
  const unlessDirty = (go: () => void, onConfirm: () => void): void => {
    if (!isDirty) go();
    else ask({ title: "Discard your changes?", text: lossOf(collection, id), ...DISCARDING, onConfirm });
  };
  const close = (): void => unlessDirty(onClose, discard);
  const choose = (chosen: Tab): void => {
    const show = (): void => setTab(chosen);
    unlessDirty(show, () => {
      unsaved.set(false);
      setDirty(false);
      show();
    });
  };
  const isForm = tab === "record" && !refusal;
  const title = id === undefined ? `New in ${collection}` : `${collection} / ${id}`;
  const tabs = id !== undefined && overview.history && <Tabs label="Show" tabs={TABS} chosen={tab} onChoose={choose} />;
  const step = (to: string): void => {
    const leave = (): void => {
      unsaved.set(false);
      onStep(to);
    };
    unlessDirty(leave, leave);
  };
  const steps = id !== undefined && <Steps neighbours={neighbours} onStep={step} />;
  return (
    <Dialog title={title} shape="panel" onClose={close} actions={[tabs, steps]}>
      {tab === "history" && id !== undefined && (
        <RecordHistory {...{ collection, id }} record={refusal ? undefined : record} />
      )}
      {tab === "record" && refusal && <Failure refusal={refusal} onRetry={reload} />}
      {isForm && path !== undefined && !record && <Loading what="the record" />}
      {isForm && (path === undefined || record) && (
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
            preset={preset}
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
      {question}
    </Dialog>
  );
}

/** Leads to the records before and behind this one; Alt with an arrow key does the same. */
function Steps({ neighbours: { previous, next }, onStep }: Pick<RecordDrawerProps, "neighbours" | "onStep">) {
  const press = useEvent((event: KeyboardEvent) => {
    const to = { ArrowUp: previous, ArrowDown: next }[event.key];
    if (!event.altKey || event.ctrlKey || event.metaKey || to === undefined) return;
    event.preventDefault();
    onStep(to);
  });
  useEffect(() => {
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [press]);
  if (previous === undefined && next === undefined) return null;
  const buttons = [
    ["up", "Previous record", previous],
    ["down", "Next record", next],
  ] as const;
  return (
    <span class="row">
      {buttons.map(([icon, label, to]) => (
        <IconButton key={icon} {...{ icon, label }} isDisabled={to === undefined} onClick={() => to && onStep(to)} />
      ))}
    </span>
  );
}

/** Keeps the opened record among the recent ones, by its latest title. */
function useRecent(
  at: Pick<RecordDrawerProps, "collection" | "id">,
  record: JsonObject | undefined,
  isGone: boolean,
): void {
  const { collection, id } = at;
  const label = record && labelOf(record);
  const isThere = record !== undefined && !isGone;
  useEffect(() => {
    if (id === undefined) return;
    if (isGone) forgetRecent({ collection, id });
    else if (isThere) noteRecent({ collection, id, label });
  }, [collection, id, label, isThere, isGone]);
}

const DISCARDING = { action: "Discard", cancel: "Keep editing" } as const;

function lossOf(collection: string, id: string | undefined): string {
  return id === undefined
    ? `This new record of ${collection} has not been saved.`
    : `Your changes to ${collection} / ${id} have not been saved.`;
}

/** The record, reloaded when the data changes, except during editing. */
export function useRecord(path: string | undefined, isDirty: boolean) {
  const version = useStore(dataVersion);
  const known = useRef<ReadRecord>();
  const [resource, reload] = useResource(
    () => (path === undefined || isDirty ? undefined : readRecord(path)),
    // Input that is discarded is followed by a reload.
    [path, version],
  );
  const read = lastOf(resource);
  // The same state must stay the same object: the editor begins anew with another one.
  if (known.current?.etag === undefined || known.current.etag !== read?.etag) known.current = read;
  return { record: known.current, refusal: refusalIn(resource), reload };
}
