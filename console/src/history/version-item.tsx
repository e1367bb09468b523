import type { Version } from "../api/history.ts";
import { formatCount } from "../ui/format.ts";
import { clockOf, countsOf, summaryOf } from "./words.ts";
import "./version-item.css";

interface VersionItemProps {
  readonly version: Version;
  readonly isChosen: boolean;
  readonly href: string;
}

/** One version of the timeline: when, who, and how many records. */
export function VersionItem({ version, isChosen, href }: VersionItemProps) {
  return (
    <li>
      <a class="version" href={href} aria-current={isChosen ? "true" : undefined}>
        <span class="row version-head">
          <time dateTime={version.time}>{clockOf(version)}</time>
          <span class="cut version-by">{version.by}</span>
          <Cause version={version} />
          <span class="version-number">{version.version}</span>
        </span>
        <span class="version-summary">{summaryOf(version)}</span>
        <Counts version={version} />
      </a>
    </li>
  );
}

/** The occasion of a version that was no plain write. */
export function Cause({ version: { cause, kind } }: { version: Version }) {
  const words = cause ?? (kind === "members" ? "collections" : undefined);
  return words === undefined ? null : <span class="badge cause">{words}</span>;
}

/** "+2 ~1 −3", as the summary says it in words. */
function Counts({ version }: { version: Version }) {
  const { created, updated, removed } = countsOf(version);
  return (
    <span class="version-counts" aria-hidden="true">
      {created > 0 && <span class="created">+{formatCount(created)}</span>}
      {updated > 0 && <span class="updated">~{formatCount(updated)}</span>}
      {removed > 0 && <span class="removed">−{formatCount(removed)}</span>}
    </span>
  );
}
