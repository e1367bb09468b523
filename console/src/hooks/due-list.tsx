import { useOverview } from "../api/use-overview.ts";
import { formatDate, formatUptime } from "../ui/format.ts";
import { useServerTime } from "../ui/server-clock.tsx";
import type { DueJob } from "./hook-data.ts";

/** The jobs that are due next, with their times by the clock of the shown data. */
export function DueList({ jobs }: { jobs: readonly DueJob[] }) {
  const now = useServerTime(useOverview().clock);
  return (
    <ul class="card flush" aria-label="Due">
      {jobs.map(({ id, kind, rule, event, record, dueAt }) => (
        <li key={id} class="hook-row">
          <span>
            <strong>{rule}</strong> {kind === "delivery" ? "is sent for" : "changes the record of"} {event}{" "}
            {String(record)}
          </span>
          <span class="soft" title={formatDate(dueAt)}>
            {Date.parse(dueAt) > now ? `in ${formatUptime((Date.parse(dueAt) - now) / 1000)}` : "now"}
          </span>
        </li>
      ))}
    </ul>
  );
}
