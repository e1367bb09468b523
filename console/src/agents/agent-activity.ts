import type { Sandbox } from "../api/sandbox.ts";
import type { Entry } from "../traffic/entry.ts";

/** The doings of one agent, as far as the traffic log goes back. */
export interface AgentActivity {
  /** The name of its sandbox; of its session while it has none. */
  readonly name: string;
  readonly sandbox: Sandbox | undefined;
  /** Oldest first. */
  readonly calls: readonly Entry[];
  readonly changes: number;
  readonly errors: number;
}

/** The sandboxes that the server creates for agents. */
const OF_AGENT = /^agent-/;

/** The agents whose calls are in the log or whose sandboxes are there: the last one at work first. */
export function agentsIn(entries: readonly Entry[], sandboxes: readonly Sandbox[]): AgentActivity[] {
  const calls = new Map<string, Entry[]>();
  for (const entry of entries) {
    const session = entry.requestHeaders["x-standin-agent"];
    if (session === undefined) continue;
    const name = entry.sandbox ?? session;
    const known = calls.get(name);
    if (known) known.push(entry);
    else calls.set(name, [entry]);
  }
  for (const { name } of sandboxes) if (OF_AGENT.test(name) && !calls.has(name)) calls.set(name, []);
  const found = [...calls].map(([name, own]) => ({
    name,
    sandbox: sandboxes.find((one) => one.name === name),
    calls: own,
    changes: own.filter(({ version }) => version !== undefined).length,
    errors: own.filter(({ status }) => status === 0 || status >= 400).length,
  }));
  return found.sort((one, other) => lastAt(other).localeCompare(lastAt(one)));
}

function lastAt({ calls, sandbox }: AgentActivity): string {
  return calls.at(-1)?.time ?? sandbox?.created_at ?? "";
}

/** A call as the agent wrote it: without the address of its sandbox. */
export function shownCall({ sandbox: _, ...call }: Entry): Entry {
  return { ...call, url: call.url.replace(/^\/__sandbox\/[^/]+/, "") };
}
