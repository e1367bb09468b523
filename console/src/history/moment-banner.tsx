import { moment } from "../api/moment.ts";
import { canRevert } from "../api/overview.ts";
import { lastOf } from "../api/resource.ts";
import { useStore } from "../api/store.ts";
import { useKnownOverview } from "../api/use-overview.ts";
import { goToMoment } from "../routes/go-to-moment.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Problem } from "../ui/notice.tsx";
import { Scrubber } from "./scrubber.tsx";
import { useRevert } from "./use-revert.tsx";
import { useVersions } from "./use-versions.ts";
import { clockOf, dayOf } from "./words.ts";
import "./moment-banner.css";

const back = (): void => goToMoment(undefined);

/** Says above every view that it shows the past, moves to other moments, and leads back. */
export function MomentBanner({ hasScrubber }: { hasScrubber: boolean }) {
  const at = useStore(moment) ?? 0;
  const overview = useKnownOverview();
  const { known, more } = useVersions({}, { downTo: at });
  const { refusal, isBusy, restore, dialogs } = useRevert();
  const versions = lastOf(known)?.versions ?? [];
  const shown = versions.find(({ version }) => version <= at);
  return (
    <section class="moment" aria-label="The past">
      <div class="cluster moment-line">
        <Icon name="history" />
        <p role="status">
          You are looking at <strong>version {at}</strong>
          {shown && `, ${dayOf(shown)}, ${clockOf(shown)}`}. Nothing can be changed here.
        </p>
        <div class="cluster">
          <Button look="small primary" onClick={back}>
            Back to now
          </Button>
          {overview && canRevert(overview) && (
            <Button look="small" isBusy={isBusy} onClick={() => restore(at, back)}>
              Restore to here
            </Button>
          )}
        </div>
      </div>
      {hasScrubber && (
        <Scrubber
          versions={versions}
          chosen={at}
          onChoose={(version) => goToMoment(version, { how: "replace" })}
          onOldest={more}
        />
      )}
      {refusal && <Problem refusal={refusal} />}
      {dialogs}
    </section>
  );
}
