import { useState } from "preact/hooks";
import { askJson } from "../../api/ask.ts";
import { IS_IN_WORKER, inSandbox, SANDBOX } from "../../api/base.ts";
import { noteChange } from "../../api/live-data.ts";
import { lastOf } from "../../api/resource.ts";
import { type Promotion, promoteSandbox, type Sandbox, sandboxPath } from "../../api/sandbox.ts";
import { loadSandboxes, sandboxList } from "../../api/sandbox-list.ts";
import { useStore } from "../../api/store.ts";
import { useOverview } from "../../api/use-overview.ts";
import { useFollowed } from "../../api/use-resource.ts";
import { Button } from "../../ui/button.tsx";
import { useConfirm } from "../../ui/confirm.tsx";
import { putOnClipboard } from "../../ui/copy-button.tsx";
import { formatCount, plural } from "../../ui/format.ts";
import { Empty, NotReady, Problem } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import type { Said } from "../../ui/said.ts";
import { useReport } from "../../ui/use-report.ts";
import { CompareDialog } from "./compare-dialog.tsx";
import { NewSandboxDialog } from "./new-sandbox-dialog.tsx";
import { SandboxCards } from "./sandbox-cards.tsx";
import { roughTime } from "./time-left.ts";

/** Private views of the data, those of agents included: open, compare, promote, reset and discard them. */
export function SandboxSection() {
  const { sandboxes: limits, readOnly, store } = useOverview();
  const sandboxes = useStore(sandboxList);
  const [list, refresh] = useFollowed("sandboxes", loadSandboxes);
  const { refusal, attempt } = useReport(refresh);
  const [isCreating, setCreating] = useState(false);
  const [compared, setCompared] = useState<Sandbox>();
  const [question, ask] = useConfirm();
  const isOff = limits === null || list.kind === "off";
  const isLoaded = lastOf(list) !== undefined;

  const promote = (sandbox: Sandbox, renumber: boolean): Promise<void> =>
    attempt(async () => {
      setCompared(undefined);
      const made = await promoteSandbox(sandbox, renumber);
      noteChange();
      return { text: `Applied ${sandbox.name} to the main data: ${promotionWords(made)}.` };
    });
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
          onCompare={setCompared}
          onCopy={(sandbox) => attempt(() => copyUrl(sandbox))}
          onReset={(sandbox) => ask({ ...resetting(sandbox), onConfirm: () => attempt(() => reset(sandbox)) })}
          onDiscard={(sandbox) => ask({ ...discarding(sandbox), onConfirm: () => attempt(() => discard(sandbox)) })}
        />
      )}
      {question}
      {isCreating && (
        <NewSandboxDialog
          onCreated={({ name }) => {
            setCreating(false);
            void attempt(async () => ({ text: `Created ${name}.` }));
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {compared && (
        <CompareDialog
          sandbox={compared}
          isReadOnly={readOnly}
          onPromote={(renumber) => promote(compared, renumber)}
          onClose={() => setCompared(undefined)}
        />
      )}
    </section>
  );
}

async function reset(sandbox: Sandbox): Promise<Said> {
  await askJson("POST", `${sandboxPath(sandbox)}/reset`);
  return { text: `Reset ${sandbox.name}.` };
}

const resetting = ({ name }: Sandbox) => ({
  title: `Reset ${name}?`,
  text: "This undoes everything that was done in the sandbox. The main data does not change.",
  action: "Reset",
});

async function discard(sandbox: Sandbox): Promise<Said> {
  await askJson("DELETE", sandboxPath(sandbox));
  if (sandbox.name === SANDBOX) location.assign(inSandbox(undefined, "#/lab"));
  return { text: `Discarded ${sandbox.name}.` };
}

const discarding = ({ name }: Sandbox) => ({
  title: `Discard ${name}?`,
  text: "This removes the sandbox with everything that was done in it. The main data does not change.",
  action: "Discard",
});

async function copyUrl({ name, url }: Sandbox): Promise<Said> {
  return { text: (await putOnClipboard(url)) ? `Copied the URL of ${name}.` : `The URL of ${name} is ${url}.` };
}

/** "1 record changed, 2 records removed". */
function promotionWords(promotion: Promotion): string {
  const made = (["created", "changed", "removed"] as const)
    .filter((kind) => promotion[kind] > 0)
    .map((kind) => `${plural(promotion[kind], "record")} ${kind}`);
  return made.length > 0 ? made.join(", ") : "nothing had changed";
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
