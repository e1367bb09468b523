import { IS_IN_WORKER } from "../api/base.ts";
import { type Overview, servesData } from "../api/overview.ts";
import { useOverview } from "../api/use-overview.ts";
import { formatUptime } from "../ui/format.ts";
import { useNow } from "../ui/use-now.ts";

const KINDS: Readonly<Record<string, string>> = {
  file: "Data file",
  folder: "Folder of data files",
  memory: "Memory",
  postgres: "PostgreSQL",
};

const DURABILITY: Readonly<Record<string, string>> = {
  process: "Saved at once, survive a crash",
  disk: "Saved at once, survive a power cut",
};

export function ServerCard() {
  const overview = useOverview();
  const { startedAt, version } = overview;
  const facts: [string, string][] = [
    ["Version", version],
    ...(IS_IN_WORKER ? [["Runs in", "A worker of this browser, for its pages alone"] as [string, string]] : []),
    ["Running for", formatUptime(Math.max(0, (useNow() - Date.parse(startedAt)) / 1000))],
    ...(servesData(overview) ? factsOfData(overview) : []),
  ];
  return (
    <section class="card" aria-labelledby="server">
      <h2 id="server">Server</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function factsOfData({ store, readOnly, idKey, foreignKeySuffix, snapshots }: Overview): [string, string][] {
  return [
    ["Store", KINDS[store.kind] ?? store.kind],
    ["Saved to", store.place],
    ["Writes", readOnly ? "Refused: read-only" : writesOf(store)],
    ["Snapshots", snapshots ? "On" : "Off"],
    ["Id, foreign keys", `${idKey}, ${foreignKeySuffix === null ? "by the data" : `…${foreignKeySuffix}`}`],
  ];
}

function writesOf({ kind, durability }: Overview["store"]): string {
  if (kind === "postgres") return "Saved by the database";
  return durability === null ? "Kept while the server runs" : (DURABILITY[durability] ?? durability);
}
