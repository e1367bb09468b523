import { useState } from "preact/hooks";
import { askJson } from "../../api/ask.ts";
import { inSandbox, SANDBOX } from "../../api/base.ts";
import { noteChange } from "../../api/live-data.ts";
import { asRefusal, type Refusal } from "../../api/refusal.ts";
import { type Promotion, promoteSandbox, type Sandbox, sandboxPath } from "../../api/sandbox.ts";
import { loadSandboxes, MANY_SANDBOXES, sandboxesNamed, sandboxList, serverAhead } from "../../api/sandbox-list.ts";
import { useStore } from "../../api/store.ts";
import { useOverview } from "../../api/use-overview.ts";
import { useRefresh } from "../../api/use-refresh.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { putOnClipboard } from "../../ui/copy-button.tsx";
import { formatCount, plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { Empty, Failure, Loading, Problem } from "../../ui/notice.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { CompareDialog } from "./compare-dialog.tsx";
import { NewSandboxDialog } from "./new-sandbox-dialog.tsx";
import { SandboxCard } from "./sandbox-card.tsx";
import { roughTime } from "./time-left.ts";

type Asked =
  | { readonly kind: "new" }
  | { readonly kind: "compare" | "reset" | "discard"; readonly sandbox: Sandbox }
  | undefined;

/** Shown at first, of many: faults and the clock are below, and should be found without a long way. */
const FEW = 6;

/** Private views of the data, those of agents included: open, compare, promote, reset and discard them. */
export function SandboxSection() {
  const sandboxes = useStore(sandboxList);
  const aheadMs = useStore(serverAhead);
  const { isLoaded, refusal: notLoaded, refresh } = useRefresh("sandboxes", loadSandboxes);
  const [asked, setAsked] = useState<Asked>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [said, setSaid] = useState("");
  const [wanted, setWanted] = useState("");
  const [areAllShown, setAllShown] = useState(false);
  const { sandboxes: limits, readOnly } = useOverview();
  const areMany = sandboxes.length > MANY_SANDBOXES;
  const found = areMany ? sandboxesNamed(hereFirst(sandboxes), wanted) : hereFirst(sandboxes);
  const shown = areMany && !areAllShown ? found.slice(0, FEW) : found;
  const isOff = limits === null || notLoaded?.code === "SANDBOXES_OFF";

  const attempt = async (work: () => Promise<string>): Promise<void> => {
    setRefusal(undefined);
    try {
      setSaid(await work());
      await refresh();
    } catch (thrown) {
      setRefusal(asRefusal(thrown));
    }
  };
  const promote = (sandbox: Sandbox, renumber: boolean): Promise<void> =>
    attempt(async () => {
      setAsked(undefined);
      const made = await promoteSandbox(sandbox, renumber);
      noteChange();
      return `Promoted ${sandbox.name}: ${promotionWords(made)}.`;
    });
  const reset = (sandbox: Sandbox): Promise<void> =>
    attempt(async () => {
      await askJson("POST", `${sandboxPath(sandbox)}/reset`);
      return `Reset ${sandbox.name}.`;
    });
  const discard = (sandbox: Sandbox): Promise<void> =>
    attempt(async () => {
      await askJson("DELETE", sandboxPath(sandbox));
      if (sandbox.name === SANDBOX) location.assign(inSandbox(undefined, "#/lab"));
      return `Discarded ${sandbox.name}.`;
    });
  const copyUrl = ({ name, url }: Sandbox): Promise<void> =>
    attempt(async () => ((await putOnClipboard(url)) ? `Copied the URL of ${name}.` : `The URL of ${name} is ${url}.`));

  return (
    <section aria-labelledby="lab-sandboxes" class="lab-section">
      <div class="page-head">
        <div>
          <h2 id="lab-sandboxes">
            Sandboxes
            {isLoaded && sandboxes.length > 0 && <span class="tally">{formatCount(sandboxes.length)}</span>}
          </h2>
          <p class="lead">Private copies of the data. Changes stay inside until you promote them.</p>
        </div>
        {!isOff && !readOnly && isLoaded && (
          <div class="actions">
            <button type="button" class="button primary" onClick={() => setAsked({ kind: "new" })}>
              <Icon name="plus" />
              New sandbox
            </button>
          </div>
        )}
      </div>
      <p class="said" role="status">
        {said}
      </p>
      {refusal && <Problem refusal={refusal} />}
      {isOff && <Off refusal={notLoaded} />}
      {!isOff && !isLoaded && !notLoaded && <Loading what="the sandboxes" />}
      {!isOff && !isLoaded && notLoaded && <Failure refusal={notLoaded} onRetry={() => void refresh()} />}
      {!isOff && isLoaded && notLoaded && notLoaded.status > 0 && <Problem refusal={notLoaded} />}
      {!isOff && isLoaded && sandboxes.length === 0 && (
        <None expirySeconds={limits.expirySeconds} isReadOnly={readOnly} />
      )}
      {!isOff && areMany && (
        <div class="sandbox-filter">
          <SearchBox label="Find a sandbox" value={wanted} onInput={setWanted} />
          {found.length === 0 && <span class="soft">No name contains “{wanted.trim()}”.</span>}
        </div>
      )}
      {!isOff && shown.length > 0 && (
        <ul class="sandbox-cards" aria-label="Sandboxes">
          {shown.map((sandbox) => (
            <SandboxCard
              key={sandbox.name}
              sandbox={sandbox}
              expirySeconds={limits.expirySeconds}
              aheadMs={aheadMs}
              isReadOnly={readOnly}
              onCompare={() => setAsked({ kind: "compare", sandbox })}
              onReset={() => setAsked({ kind: "reset", sandbox })}
              onDiscard={() => setAsked({ kind: "discard", sandbox })}
              onCopy={() => void copyUrl(sandbox)}
            />
          ))}
        </ul>
      )}
      {!isOff && areMany && found.length > FEW && (
        <button type="button" class="button at-start" onClick={() => setAllShown(!areAllShown)}>
          {areAllShown ? "Show fewer" : `Show all ${formatCount(found.length)}`}
        </button>
      )}
      {asked?.kind === "new" && (
        <NewSandboxDialog
          onCreated={({ name }) => {
            setAsked(undefined);
            void attempt(async () => `Created ${name}.`);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.kind === "compare" && (
        <CompareDialog
          sandbox={asked.sandbox}
          isReadOnly={readOnly}
          onPromote={(renumber) => void promote(asked.sandbox, renumber)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.kind === "reset" && (
        <Confirm
          title={`Reset ${asked.sandbox.name}?`}
          action="Reset"
          onConfirm={() => void reset(asked.sandbox)}
          onClose={() => setAsked(undefined)}
        >
          <p>This undoes everything that was done in the sandbox. The main data does not change.</p>
        </Confirm>
      )}
      {asked?.kind === "discard" && (
        <Confirm
          title={`Discard ${asked.sandbox.name}?`}
          action="Discard"
          onConfirm={() => void discard(asked.sandbox)}
          onClose={() => setAsked(undefined)}
        >
          <p>This removes the sandbox with everything that was done in it. The main data does not change.</p>
        </Confirm>
      )}
    </section>
  );
}

function hereFirst(sandboxes: readonly Sandbox[]): readonly Sandbox[] {
  const isHere = ({ name }: Sandbox): boolean => name === SANDBOX;
  return [...sandboxes.filter(isHere), ...sandboxes.filter((sandbox) => !isHere(sandbox))];
}

/** "1 record changed, 2 records removed". */
function promotionWords(promotion: Promotion): string {
  const made = (["created", "changed", "removed"] as const)
    .filter((kind) => promotion[kind] > 0)
    .map((kind) => `${plural(promotion[kind], "record")} ${kind}`);
  return made.length > 0 ? made.join(", ") : "nothing had changed";
}

function None({ expirySeconds, isReadOnly }: { expirySeconds: number; isReadOnly: boolean }) {
  return (
    <Empty icon="sandboxes" title="No sandboxes yet">
      <p>
        {isReadOnly
          ? "This server is read-only, so none can be created here. "
          : "Create one to try a change in peace. "}
        A request with the header <code>X-Standin-Sandbox: ann</code> creates one, too, and so does an agent that
        connects to <code>/__mcp</code>. A sandbox that is not used for {roughTime(expirySeconds * 1000)} is removed.
      </p>
    </Empty>
  );
}

function Off({ refusal }: { refusal: Refusal | undefined }) {
  const overview = useOverview();
  return (
    <Empty icon="sandboxes" title="Sandboxes are off">
      {refusal?.code === "SANDBOXES_OFF" ? (
        <p>
          Start the server without <code>--sandboxes 0</code> to have some.
        </p>
      ) : (
        <p>
          They need the data in memory, and here it is in {overview.store.place}. Start the server with{" "}
          <code>--memory</code> to serve a copy that supports them.
        </p>
      )}
    </Empty>
  );
}
