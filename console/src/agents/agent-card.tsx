import { askJson } from "../api/ask.ts";
import { inSandbox } from "../api/base.ts";
import { dataVersion } from "../api/live-data.ts";
import { lastOf } from "../api/resource.ts";
import { type Sandbox, type SandboxChanges, sandboxPath } from "../api/sandbox.ts";
import { useStore } from "../api/store.ts";
import { useOverview } from "../api/use-overview.ts";
import { useResource } from "../api/use-resource.ts";
import { ChangeCard } from "../records/comparison/change-card.tsx";
import { codeOf, type Entry } from "../traffic/entry.ts";
import { EntryLink } from "../traffic/entry-link.tsx";
import { SentStatus } from "../traffic/sent-status.tsx";
import { Button } from "../ui/button.tsx";
import { formatTime, plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { type AgentActivity, shownCall } from "./agent-activity.ts";

/** Shown of each; the traffic and the comparison have the rest. */
const LATEST = 6;
const FEW = 4;

interface AgentCardProps {
  readonly agent: AgentActivity;
  readonly onOpen: (call: Entry) => void;
  readonly onPromote: (sandbox: Sandbox) => void;
  readonly onDiscard: (sandbox: Sandbox) => void;
}

/** One agent: the latest calls at one side, how its data differs from the main data at the other. */
export function AgentCard({ agent, onOpen, onPromote, onDiscard }: AgentCardProps) {
  const { readOnly } = useOverview();
  const { name, sandbox, calls, changes, errors } = agent;
  return (
    <section class="column card agent-card" aria-label={name}>
      <div class="cluster agent-head">
        <Icon name="agent" />
        <h2 class="cut">{name}</h2>
        <span class="soft agent-facts">
          {plural(calls.length, "call")} · {plural(changes, "change")} ·{" "}
          <span class={errors > 0 ? "agent-errors" : undefined}>{plural(errors, "error")}</span>
        </span>
        {sandbox && (
          <div class="cluster actions">
            <a class="button small" href={inSandbox(name, "#/")}>
              Open
            </a>
            {!readOnly && (
              <>
                <Button look="small" onClick={() => onDiscard(sandbox)}>
                  Discard
                </Button>
                <Button look={sandbox.changes > 0 ? "small primary" : "small"} onClick={() => onPromote(sandbox)}>
                  Review and apply
                </Button>
              </>
            )}
          </div>
        )}
      </div>
      <div class="agent-parts">
        <div class="column">
          <h3>Latest calls</h3>
          {calls.length === 0 && <p class="hint">No calls in the traffic log.</p>}
          <ul class="agent-calls">
            {calls
              .slice(-LATEST)
              .reverse()
              .map((call) => (
                <li key={call.id} class="agent-call">
                  <span class="soft">{formatTime(call.time)}</span>
                  <EntryLink entry={shownCall(call)} onOpen={() => onOpen(call)} />
                  <span class="agent-status" title={codeOf(call)}>
                    {call.version !== undefined && <span class="entry-tag">changed</span>}
                    <SentStatus status={call.status} />
                  </span>
                </li>
              ))}
          </ul>
        </div>
        <div class="column">
          <h3>Compared with the main data</h3>
          {sandbox ? (
            <OwnChanges sandbox={sandbox} calls={calls.length} />
          ) : (
            <p class="hint">No sandbox: it works on the main data, or its sandbox is gone.</p>
          )}
        </div>
      </div>
    </section>
  );
}

/** The diff of its sandbox, loaded again with every call, and when the main data changes. */
function OwnChanges({ sandbox, calls }: { sandbox: Sandbox; calls: number }) {
  const version = useStore(dataVersion);
  const [loaded] = useResource<SandboxChanges>(
    (signal) => askJson("GET", `${sandboxPath(sandbox)}/changes`, { isMain: true, signal }),
    [sandbox.name, sandbox.changes, calls, version],
  );
  const found = lastOf(loaded);
  if (!found) return <p class="hint">…</p>;
  const { changes, total, conflicts } = found;
  return (
    <>
      {total === 0 && <p class="hint">No differences yet.</p>}
      {conflicts.length > 0 && <p class="agent-errors">{plural(conflicts.length, "conflict")} with the main data</p>}
      {changes.slice(0, FEW).map((change) => (
        <ChangeCard key={`${change.collection}/${change.id}`} change={change} states={["Main data", "Agent"]} />
      ))}
      {total > FEW && (
        <p class="hint">And {plural(total - FEW, "more record")}. "Review and apply" shows all of them.</p>
      )}
    </>
  );
}
