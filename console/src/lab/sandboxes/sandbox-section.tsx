import { useState } from "preact/hooks";
import { IS_IN_WORKER } from "../../api/base.ts";
import { lastOf } from "../../api/resource.ts";
import type { Sandbox } from "../../api/sandbox.ts";
import { loadSandboxes, sandboxList } from "../../api/sandbox-list.ts";
import { useStore } from "../../api/store.ts";
import { useOverview } from "../../api/use-overview.ts";
import { useFollowed } from "../../api/use-resource.ts";
import { Button } from "../../ui/button.tsx";
import { putOnClipboard } from "../../ui/copy-button.tsx";
import { formatCount } from "../../ui/format.ts";
import { Empty, NotReady, Problem } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import type { Said } from "../../ui/said.ts";
import { useReport } from "../../ui/use-report.ts";
import { NewSandboxDialog } from "./new-sandbox-dialog.tsx";
import { SandboxCards } from "./sandbox-cards.tsx";
import { roughTime } from "./time-left.ts";
import { useSandboxActions } from "./use-sandbox-actions.tsx";

/** Private views of the data, those of agents included: open, compare, promote, reset and discard them. */
export function SandboxSection() {
  const { sandboxes: limits, readOnly, store } = useOverview();
  const sandboxes = useStore(sandboxList);
  const [list, refresh] = useFollowed("sandboxes", loadSandboxes);
  const { refusal, attempt } = useReport(refresh);
  const { compare, reset, discard, dialogs } = useSandboxActions(attempt);
  const [isCreating, setCreating] = useState(false);
  const isOff = limits === null || list.kind === "off";
  const isLoaded = lastOf(list) !== undefined;
  return (
    <section aria-labelledby="lab-sandboxes" class="column lab-section">
      <PageHead
        id="lab-sandboxes"
        title={
          <>
            Sandboxes
            {isLoaded && sandboxes.length > 0 && <span class="tally">{formatCount(sandboxes.length)}</span>}
          </>
        }
        lead="Private copies of the data. Changes stay inside until you apply them to the main data."
        actions={
          !isOff &&
          !readOnly &&
          isLoaded && (
            <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
              New sandbox
            </Button>
          )
        }
      />
      {refusal && <Problem refusal={refusal} />}
      {isOff && (
        <Off place={store.place} isSwitchedOff={list.kind === "off" && list.refusal.code === "SANDBOXES_OFF"} />
      )}
      {!isOff && <NotReady resource={list} what="the sandboxes" onRetry={refresh} />}
      {!isOff && isLoaded && sandboxes.length === 0 && (
        <None expirySeconds={limits.expirySeconds} isReadOnly={readOnly} />
      )}
      {!isOff && (
        <SandboxCards
          sandboxes={sandboxes}
          expirySeconds={limits.expirySeconds}
          isReadOnly={readOnly}
          onCompare={compare}
          onCopy={(sandbox) => attempt(() => copyUrl(sandbox))}
          onReset={reset}
          onDiscard={discard}
        />
      )}
      {dialogs}
      {isCreating && (
        <NewSandboxDialog
          onCreated={({ name }) => {
            setCreating(false);
            void attempt(async () => ({ text: `Created ${name}.` }));
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </section>
  );
}

async function copyUrl({ name, url }: Sandbox): Promise<Said> {
  return { text: (await putOnClipboard(url)) ? `Copied the URL of ${name}.` : `The URL of ${name} is ${url}.` };
}

function None({ expirySeconds, isReadOnly }: { expirySeconds: number; isReadOnly: boolean }) {
  if (isReadOnly) {
    return (
      <Empty icon="sandboxes" title="No sandboxes">
        <p>
          This server is read-only, so nothing can be tried in one. Start it without <code>--read-only</code> to change
          copies of the data.
        </p>
      </Empty>
    );
  }
  return (
    <Empty icon="sandboxes" title="No sandboxes yet">
      <p>
        Create one to try a change in peace. A request with the header <code>X-Standin-Sandbox: ann</code> creates one,
        too
        {!IS_IN_WORKER && (
          <>
            , and so does an agent that connects to <code>/__mcp</code>
          </>
        )}
        . A sandbox that is not used for {roughTime(expirySeconds * 1000)} is removed.
      </p>
    </Empty>
  );
}

function Off({ place, isSwitchedOff }: { place: string; isSwitchedOff: boolean }) {
  return (
    <Empty icon="sandboxes" title="Sandboxes are off">
      {isSwitchedOff ? (
        <p>
          Start the server without <code>--sandboxes 0</code> to have some.
        </p>
      ) : (
        <p>
          They need the data in memory, and here it is in {place}. Start the server with <code>--memory</code> to serve
          a copy that supports them.
        </p>
      )}
    </Empty>
  );
}
