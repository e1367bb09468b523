import { useEffect, useState } from "preact/hooks";
import { askJson } from "../api/ask.ts";
import { dataVersion, noteChange } from "../api/live-data.ts";
import type { Overview } from "../api/overview.ts";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { Confirm } from "../ui/confirm.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatDate, plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Empty, Loading, Problem } from "../ui/notice.tsx";
import { useStore } from "../ui/store.ts";
import { ChangesDialog } from "./changes-dialog.tsx";
import { type Promotion, type Sandbox, sandboxPath } from "./sandbox.ts";

type Asked = { readonly kind: "changes" | "reset" | "discard"; readonly sandbox: Sandbox } | undefined;

/** Private views of the data, those of agents included: what was done in each, to promote or to discard. */
export function SandboxSection({ overview }: { overview: Overview }) {
  const version = useStore(dataVersion);
  const [sandboxes, setSandboxes] = useState<readonly Sandbox[]>();
  const [asked, setAsked] = useState<Asked>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [said, setSaid] = useState("");

  const load = async (): Promise<void> => {
    const { sandboxes: found } = await askJson<{ sandboxes: Sandbox[] }>("GET", "/__sandboxes");
    setSandboxes(found);
  };
  const attempt = async (work: () => Promise<string>): Promise<void> => {
    setRefusal(undefined);
    try {
      setSaid(await work());
      await load();
    } catch (thrown) {
      setRefusal(asRefusal(thrown));
    }
  };
  useEffect(() => {
    load().catch((thrown: unknown) => setRefusal(asRefusal(thrown)));
  }, [version]);

  const promote = (sandbox: Sandbox, renumber: boolean): Promise<void> =>
    attempt(async () => {
      setAsked(undefined);
      const made = await askJson<Promotion>("POST", `${sandboxPath(sandbox)}/promote`, { body: { renumber } });
      noteChange();
      return `Promoted ${sandbox.name}: ${promotionText(made)}.`;
    });
  const reset = (sandbox: Sandbox): Promise<void> =>
    attempt(async () => {
      await askJson("POST", `${sandboxPath(sandbox)}/reset`);
      return `Reset ${sandbox.name}.`;
    });
  const discard = (sandbox: Sandbox): Promise<void> =>
    attempt(async () => {
      await askJson("DELETE", sandboxPath(sandbox));
      return `Discarded ${sandbox.name}.`;
    });
  const create = (): Promise<void> =>
    attempt(async () => {
      const { name } = await askJson<Sandbox>("POST", "/__sandboxes", { body: {} });
      return `Created ${name}.`;
    });

  return (
    <section aria-label="Sandboxes" class="lab-section">
      <div class="page-head">
        <div>
          <h2>Sandboxes</h2>
          <p class="lead">{sandboxes ? plural(sandboxes.length, "private view") : "Private views"} of the data</p>
        </div>
        <div class="actions">
          <button type="button" class="button" onClick={() => void load()}>
            Refresh
          </button>
          <button type="button" class="button primary" onClick={() => void create()}>
            <Icon name="plus" />
            New sandbox
          </button>
        </div>
      </div>
      <p class="said" role="status">
        {said}
      </p>
      {refusal && <Problem refusal={refusal} />}
      {!sandboxes && !refusal && <Loading what="the sandboxes" />}
      {sandboxes?.length === 0 && (
        <Empty icon="sandboxes" title="No sandboxes yet">
          <p>
            A request with the header <code>X-Standin-Sandbox</code> creates one, and so does an agent that connects to{" "}
            <code>/__mcp</code>. What is done in a sandbox changes nothing outside of it until you promote it.
          </p>
        </Empty>
      )}
      {sandboxes && sandboxes.length > 0 && <SandboxList sandboxes={sandboxes} onAsk={setAsked} />}
      {asked?.kind === "changes" && (
        <ChangesDialog
          sandbox={asked.sandbox}
          isReadOnly={overview.readOnly}
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

function promotionText({ created, changed, removed }: Promotion): string {
  const parts = [
    [created, "created"],
    [changed, "changed"],
    [removed, "removed"],
  ] as const;
  const made = parts.filter(([count]) => count > 0).map(([count, what]) => `${plural(count, "record")} ${what}`);
  return made.length > 0 ? made.join(", ") : "nothing had changed";
}

function SandboxList({ sandboxes, onAsk }: { sandboxes: readonly Sandbox[]; onAsk: (asked: Asked) => void }) {
  return (
    <ul class="card flush state-list">
      {sandboxes.map((sandbox) => (
        <li key={sandbox.name}>
          <div class="state-text">
            <strong class="cut">{sandbox.name}</strong>
            <span class="soft">
              since {formatDate(sandbox.created_at)} · expires {formatDate(sandbox.expires_at)}
            </span>
          </div>
          <div class="actions">
            <button type="button" class="button small" onClick={() => onAsk({ kind: "changes", sandbox })}>
              Changes
            </button>
            <CopyButton text={sandbox.url} label="Copy URL" />
            <IconButton icon="undo" label={`Reset ${sandbox.name}`} onClick={() => onAsk({ kind: "reset", sandbox })} />
            <IconButton
              icon="trash"
              label={`Discard ${sandbox.name}`}
              onClick={() => onAsk({ kind: "discard", sandbox })}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
