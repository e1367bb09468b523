import type { MemberRules } from "../api/overview.ts";
import { useOverview } from "../api/use-overview.ts";
import { formatRoute, listRoute } from "../routes/route.ts";
import { plural } from "../ui/format.ts";

/** The collections whose records must keep rules, and how many did not at the start. */
export function RecordRulesCard() {
  const { recordRules = {}, members } = useOverview();
  const entries = Object.entries(recordRules);
  return (
    <section class="card" aria-labelledby="record-rules">
      <h2 id="record-rules">Rules for records</h2>
      {entries.length === 0 && (
        <p class="hint">
          None. Records may have any form; add a file with <code>--rules</code> to validate them.
        </p>
      )}
      {entries.some(([, { checkedBy }]) => checkedBy === "client") && (
        <p class="hint">From the OpenAPI document; requests to its operations and forms here are checked.</p>
      )}
      <ul class="record-rules">
        {entries.map(([name, rules]) => (
          <li key={name}>
            {members.some((member) => member.name === name) ? (
              <a href={formatRoute(listRoute(name))}>{name}</a>
            ) : (
              <span>{name}</span>
            )}
            <span class="soft">{extentOf(rules)}</span>
            {rules.broken !== undefined && rules.broken > 0 && (
              <span class="broken-count">{plural(rules.broken, "record")} broke them at the start</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function extentOf({ fields }: MemberRules): string {
  const required = fields.filter(({ isRequired }) => isRequired).length;
  return `${plural(fields.length, "field")}${required > 0 ? `, ${required} required` : ""}`;
}
