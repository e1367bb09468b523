import type { Version } from "../api/history.ts";
import { canRevert } from "../api/overview.ts";
import { recordName } from "../api/record-change.ts";
import { useOverview } from "../api/use-overview.ts";
import { ChangeCard } from "../records/comparison/change-card.tsx";
import { goToMoment } from "../routes/go-to-moment.ts";
import { formatRoute, listRoute } from "../routes/route.ts";
import { Button } from "../ui/button.tsx";
import { formatCount, formatDate } from "../ui/format.ts";
import { Failure, Loading, Problem } from "../ui/notice.tsx";
import { useChange } from "./use-change.ts";
import { useRevert } from "./use-revert.tsx";
import { Cause } from "./version-item.tsx";
import { summaryOf } from "./words.ts";

interface VersionDetailProps {
  readonly version: Version;
  readonly isLatest: boolean;
  /** Whether the data of this moment can still be read. */
  readonly isReadable: boolean;
  /** Keeps this version selected when newer ones come. */
  readonly onStay: () => void;
}

/** The change of one version, record by record, and what can be done with it. */
export function VersionDetail({ version, isLatest, isReadable, onStay }: VersionDetailProps) {
  const overview = useOverview();
  const isWritable = canRevert(overview);
  const { refusal, isBusy, revert, restore, dialogs } = useRevert();
  const number = version.version;
  const take = (): Promise<void> => {
    onStay();
    return revert(number);
  };
  const open = (): void => {
    const changed = overview.members.find(({ name }) => Object.hasOwn(version.counts, name));
    goToMoment(number, { hash: formatRoute(listRoute(changed?.name)) });
  };
  return (
    <section class="stack version-detail" aria-labelledby="version">
      <div class="column">
        <div class="row">
          <h2 id="version">Version {number}</h2>
          <Cause version={version} />
        </div>
        <p class="soft">
          {formatDate(version.time)} · {version.by} · {summaryOf(version)}
        </p>
      </div>
      <div class="cluster">
        {isWritable && version.kept && (
          <Button look="primary" icon="undo" isBusy={isBusy} onClick={take}>
            Revert this change
          </Button>
        )}
        {isWritable && isReadable && !isLatest && (
          <Button icon="history" isBusy={isBusy} onClick={() => restore(number)}>
            Restore to here
          </Button>
        )}
        {isReadable && (
          <Button icon="eye" onClick={open}>
            Open at this moment
          </Button>
        )}
      </div>
      {refusal && <Problem refusal={refusal} />}
      {version.kept ? <Edits version={version} /> : <p class="hint">{NOT_KEPT}</p>}
      {dialogs}
    </section>
  );
}

const NOT_KEPT =
  "The records of this version are not kept: it was too large, or it was made while the server was stopped. It can be " +
  "neither shown nor reverted.";

function Edits({ version }: { version: Version }) {
  const [change, showMore, retry] = useChange(version.version);
  if (change.kind === "loading") return <Loading what="the change" />;
  if (change.kind !== "ready") return <Failure refusal={change.refusal} onRetry={retry} />;
  const { edits, total } = change.value;
  return (
    <div class="column edits">
      {version.members?.map(({ kind, name, to }) => (
        <p key={name}>
          <strong>{name}</strong> was {kind}
          {to !== undefined && ` to ${to}`}.
        </p>
      ))}
      {edits.map((edit, at) => (
        <ChangeCard key={`${recordName(edit)} ${at}`} change={edit} states={["Before", "After"]} />
      ))}
      {total > edits.length && (
        <div class="row">
          <Button onClick={showMore}>Show more</Button>
          <span class="soft">
            {formatCount(edits.length)} of {formatCount(total)} records
          </span>
        </div>
      )}
    </div>
  );
}
