import { overview } from "../api/live-data.ts";
import { useStore } from "../api/store.ts";
import { useKnownOverview } from "../api/use-overview.ts";
import { formatRoute, listRoute, type Route } from "../routes/route.ts";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { viewsFor } from "./views.ts";

/** The navigation: at the side if there is room, at the bottom on a phone. */
export function Navigation({ route }: { route: Route }) {
  const known = useKnownOverview();
  const members = known?.members ?? [];
  const isLoading = useStore(overview).kind === "loading";
  return (
    <div class={route.view === "data" ? "side on-data" : "side"}>
      <nav aria-label="Views" class="views">
        {viewsFor(known).map(({ view, name, icon, hash }) => (
          <a key={view} href={hash} aria-current={route.view === view ? "page" : undefined}>
            <Icon name={icon} />
            <span>{name}</span>
          </a>
        ))}
      </nav>
      {(members.length > 0 || isLoading) && (
        <nav aria-label="Collections" class="members">
          {members.map(({ name, kind, count }) => (
            <a
              key={name}
              href={formatRoute(listRoute(name))}
              aria-current={route.view === "data" && route.member === name ? "page" : undefined}
            >
              <span class="cut">{name}</span>
              {kind === "collection" && <span class="count">{formatCount(count)}</span>}
            </a>
          ))}
        </nav>
      )}
    </div>
  );
}
