import { loadEdit, type Version } from "../api/history.ts";
import { isJsonObject, type JsonObject } from "../api/json.ts";
import { idKeyOf } from "../api/overview.ts";
import { lastOf } from "../api/resource.ts";
import { useOverview } from "../api/use-overview.ts";
import { useResource } from "../api/use-resource.ts";
import { ChangeCard } from "../records/comparison/change-card.tsx";
import type { ReadRecord } from "../records/conflict.ts";
import { recordPath } from "../records/record-address.ts";
import { changeRecord, createRecord, returnRecord } from "../records/writes.ts";
import { goToMoment } from "../routes/go-to-moment.ts";
import { formatRoute } from "../routes/route.ts";
import { Button } from "../ui/button.tsx";
import { formatDate } from "../ui/format.ts";
import { NotReady, Problem } from "../ui/notice.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { useVersions } from "./use-versions.ts";
import { Cause } from "./version-item.tsx";
import "./record-history.css";

/** Each of them is a request. */
const AT_ONCE = 10;

interface RecordHistoryProps {
  readonly collection: string;
  readonly id: string;
  /** As it is now; undefined if it was removed. */
  readonly record: ReadRecord | undefined;
}

/** The versions of one record, newest first, each with the fields that it changed and the way back to it. */
export function RecordHistory({ collection, id, record }: RecordHistoryProps) {
  const overview = useOverview();
  const { known, more, reload } = useVersions({ collection, id }, { atOnce: AT_ONCE });
  const { refusal, isBusy, attempt } = useAttempt();
  const list = lastOf(known);
  const restore = (value: JsonObject): Promise<void> =>
    attempt(async () => {
      const [removal] = list?.versions ?? [];
      if (record) await changeRecord(recordPath(collection, id), record, "PUT", value);
      else if (removal?.kept) await returnRecord(removal.version, { collection, id }, value);
      else await createRecord(collection, idKeyOf(overview, collection), value);
    });
  return (
    <div class="column record-history">
      <NotReady resource={known} what="the history" onRetry={reload} />
      {refusal && <Problem refusal={refusal} />}
      {list?.versions.length === 0 && <p class="soft">This record has not changed since the history begins.</p>}
      {list?.versions.map((version, at) => (
        <RecordVersion
          key={version.version}
          {...{ collection, id, version }}
          isReadable={list.oldest !== null && version.version >= list.oldest}
          onRestore={overview.readOnly || isBusy || (at === 0 && record) ? undefined : restore}
        />
      ))}
      {list?.next !== undefined && <Button onClick={more}>Show older</Button>}
    </div>
  );
}

interface RecordVersionProps {
  readonly collection: string;
  readonly id: string;
  readonly version: Version;
  readonly isReadable: boolean;
  readonly onRestore: ((value: JsonObject) => unknown) | undefined;
}

function RecordVersion({ collection, id, version, isReadable, onRestore }: RecordVersionProps) {
  const { version: number, kept } = version;
  const [loaded] = useResource(
    (signal) => (kept ? loadEdit(number, { collection, id }, signal) : undefined),
    [number, collection, id],
  );
  const edit = lastOf(loaded);
  const after = edit?.after;
  return (
    <article class="column" aria-label={`Version ${number}`}>
      <div class="cluster record-version">
        <a href={formatRoute({ view: "history", version: number, query: "" })}>{formatDate(version.time)}</a>
        <span class="soft">{version.by}</span>
        <Cause version={version} />
      </div>
      {!kept && <p class="hint">The records of this version are not kept.</p>}
      {edit && <ChangeCard change={edit} title={`Version ${number}`} states={["Before", "After"]} />}
      <div class="cluster">
        {onRestore && isJsonObject(after) && (
          <Button look="small" icon="undo" onClick={() => onRestore(after)}>
            Restore this version of the record
          </Button>
        )}
        {isReadable && (
          <Button look="small" icon="eye" onClick={() => goToMoment(number)}>
            Open at this moment
          </Button>
        )}
      </div>
    </article>
  );
}
