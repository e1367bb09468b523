import { pathHere } from "../api/base.ts";
import type { Overview } from "../api/overview.ts";
import { useOverview } from "../api/use-overview.ts";
import type { AskedOfCollections } from "../data/collection-dialogs.tsx";
import { linksIn } from "../records/relations.ts";
import { formatRoute, listRoute } from "../routes/route.ts";
import { formatCount } from "../ui/format.ts";
import { IconButton } from "../ui/icon-button.tsx";

interface MemberListProps {
  readonly onAsk: (asked: AskedOfCollections) => void;
}

/** The collections in words: the same as the diagram, with the actions on each. */
export function MemberList({ onAsk }: MemberListProps) {
  const overview = useOverview();
  const { members, url, readOnly } = overview;
  return (
    <ul class="member-list">
      {members.map((member) => {
        const { name, kind, count, path = `/${encodeURIComponent(name)}` } = member;
        // A path with wildcards is no address.
        const address = path.includes("{") ? `/${encodeURIComponent(name)}` : path;
        return (
          <li key={name}>
            <a class="member" href={formatRoute(listRoute(name))}>
              <span class="member-name cut">{name}</span>
              <span class="member-note cut">{kind === "singleton" ? "one object" : referencesOf(overview, name)}</span>
              <span class="member-count">{kind === "collection" ? formatCount(count) : "1"}</span>
            </a>
            <a
              class="raw"
              href={pathHere(address)}
              target="_blank"
              rel="noreferrer"
              aria-label={`${url}${address} as JSON`}
            >
              JSON
            </a>
            {!readOnly && (
              <>
                <IconButton icon="pencil" label={`Rename ${name}`} onClick={() => onAsk({ kind: "rename", member })} />
                <IconButton icon="trash" label={`Remove ${name}`} onClick={() => onAsk({ kind: "remove", member })} />
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** `company_id → companies`. */
function referencesOf(overview: Overview, name: string): string {
  return linksIn(overview)
    .filter(({ from }) => from === name)
    .map(({ field, to }) => `${field} → ${to}`)
    .join(", ");
}
