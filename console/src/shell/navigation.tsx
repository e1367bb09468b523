import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { overview } from "../api/live-data.ts";
import { useStore } from "../api/store.ts";
import { useKnownOverview } from "../api/use-overview.ts";
import { removeView, savedViews } from "../records/saved-views.ts";
import { formatRoute, listRoute, type Route } from "../routes/route.ts";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { viewsFor } from "./views.ts";

/** The navigation: at the side if there is room, at the bottom on a phone. */
export function Navigation({ route }: { route: Route }) {
  const known = useKnownOverview();
  const members = known?.members ?? [];
  const isLoading = useStore(overview).kind === "loading";
  const member = route.view === "data" ? route.member : undefined;
  const side = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone, there are more views and collections than fit side by side.
    for (const current of side.current?.querySelectorAll("nav > [aria-current]") ?? []) {
      current.scrollIntoView({ block: "nearest", inline: "center" });
    }
  }, [route.view, member, known === undefined]);
  return (
    <div class={route.view === "data" ? "side on-data" : "side"} ref={side}>
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
            <Fragment key={name}>
              <a href={formatRoute(listRoute(name))} aria-current={member === name ? "page" : undefined}>
                <span class="cut">{name}</span>
                {kind === "collection" && <span class="count">{formatCount(count)}</span>}
              </a>
              <SavedViews collection={name} query={route.view === "data" ? route.query : ""} />
            </Fragment>
          ))}
        </nav>
      )}
    </div>
  );
}

/** The lists of a collection that were saved under a name. */
function SavedViews({ collection, query }: { readonly collection: string; readonly query: string }) {
  const views = useStore(savedViews).filter((view) => view.collection === collection);
  return (
    <>
      {views.map((view) => (
        <span key={view.name} class="row saved-view">
          <a
            href={formatRoute(listRoute(collection, view.query))}
            aria-current={view.query === query ? "page" : undefined}
          >
            <bdi class="cut">{view.name}</bdi>
          </a>
          <IconButton icon="close" label={`Remove view ${view.name}`} onClick={() => removeView(view)} />
        </span>
      ))}
    </>
  );
}
