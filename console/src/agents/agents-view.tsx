import { useEffect, useState } from "preact/hooks";
import { SERVER_URL } from "../api/base.ts";
import { loadSandboxes, sandboxList } from "../api/sandbox-list.ts";
import { useStore } from "../api/store.ts";
import { useFollowed } from "../api/use-resource.ts";
import { useSandboxActions } from "../lab/sandboxes/use-sandbox-actions.tsx";
import type { Entry } from "../traffic/entry.ts";
import { EntryDrawer } from "../traffic/entry-drawer.tsx";
import { entries, followTraffic, trafficRefusal } from "../traffic/traffic-log.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { plural } from "../ui/format.ts";
import { Empty, Problem } from "../ui/notice.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { useReport } from "../ui/use-report.ts";
import { agentsIn } from "./agent-activity.ts";
import { AgentCard } from "./agent-card.tsx";
import "../traffic/traffic-view.css";
import "./agents-view.css";

/** The work of each agent: its calls as they come, its changes beside the main data, and what becomes of them. */
export function AgentsView() {
  const calls = useStore(entries);
  const sandboxes = useStore(sandboxList);
  const notLogged = useStore(trafficRefusal);
  const [opened, setOpened] = useState<Entry>();
  const [, refresh] = useFollowed("sandboxes", loadSandboxes);
  const { refusal, attempt } = useReport(refresh);
  const { compare, discard, dialogs } = useSandboxActions(attempt);
  useEffect(() => followTraffic(), []);
  const agents = agentsIn(calls, sandboxes);
  return (
    <div class="page">
      <PageHead
        title="Agents"
        lead={agents.length > 0 ? plural(agents.length, "agent") : "AI agents at work, each in a sandbox of its own"}
      />
      {(refusal ?? notLogged) && <Problem refusal={(refusal ?? notLogged)!} />}
      {agents.length === 0 && <NoAgents />}
      {agents.map((agent) => (
        <AgentCard key={agent.name} agent={agent} onOpen={setOpened} onPromote={compare} onDiscard={discard} />
      ))}
      {dialogs}
      {opened && <EntryDrawer entry={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

function NoAgents() {
  const url = `${SERVER_URL}/__mcp`;
  return (
    <Empty icon="agent" title="No agents yet">
      <p>
        Connect one by the Model Context Protocol. It works in a sandbox of its own, and appears here with its first
        call.
      </p>
      <div class="row agent-url">
        <code>{url}</code>
        <CopyButton text={url} />
      </div>
    </Empty>
  );
}
