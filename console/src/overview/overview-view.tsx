import { MOUNT } from "../api/base.ts";
import { type Overview, servesData } from "../api/overview.ts";
import { useOverview } from "../api/use-overview.ts";
import { addressOf } from "../request/request-draft.ts";
import { openInBuilder } from "../request/request-state.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { plural } from "../ui/format.ts";
import { lazy } from "../ui/lazy.tsx";
import { Method } from "../ui/method.tsx";
import { AccessCard } from "./access-card.tsx";
import { DataCard } from "./data-card.tsx";
import { examplesFor } from "./examples.ts";
import { Pipeline } from "./pipeline/pipeline.tsx";
import { RecordRulesCard } from "./record-rules-card.tsx";
import { RulesCard } from "./rules-card.tsx";
import { ServerCard } from "./server-card.tsx";
import { TrafficLink } from "./traffic-link.tsx";
import { UsersCard } from "./users-card.tsx";

const StartPage = lazy("the start page", async () => (await import("./start/start-page.tsx")).StartPage);

/** The first view: the way of a request, the collections and their relations, the server and its rules. */
export function OverviewView() {
  const overview = useOverview();
  const { members } = overview;
  const url = `${overview.url}${overview.documentPath ?? ""}`;
  const hasData = servesData(overview);
  const isEmpty = members.length === 0;
  return (
    <div class="page">
      <div class="cluster page-head">
        <div>
          <h1>Overview</h1>
          <p class="lead">{hasData ? isEmpty ? "No data yet" : extentOf(overview) : <ExamplesLead />}</p>
        </div>
        <div class="row address">
          <code>{url}</code>
          <CopyButton text={url} />
        </div>
      </div>
      {hasData && isEmpty && <StartPage />}
      <section class="card requests-card" aria-labelledby="requests">
        <div class="cluster card-head">
          <h2 id="requests">Requests</h2>
          <TrafficLink />
        </div>
        <Pipeline />
      </section>
      {!isEmpty && <DataCard />}
      <div class="overview-grid">
        <div class="stack">
          <ExamplesCard />
          <RulesCard rules={overview.rules} />
          {isEmpty && <RecordRulesCard />}
        </div>
        <div class="stack">
          <ServerCard />
          <AccessCard />
          <UsersCard />
          {!isEmpty && <RecordRulesCard />}
        </div>
      </div>
    </div>
  );
}

function ExamplesLead() {
  return (
    <>
      Fixed examples: <a href="#/examples">look at them here</a>, or on the <a href={`${MOUNT}/`}>start page</a>
    </>
  );
}

/** "2 collections, 1 object, 1,012 records"; "2 objects". */
function extentOf({ members }: Overview): string {
  const collections = members.filter(({ kind }) => kind === "collection");
  const objects = members.length - collections.length;
  const records = collections.reduce((sum, { count }) => sum + count, 0);
  return [
    ...(collections.length > 0 ? [plural(collections.length, "collection")] : []),
    ...(objects > 0 ? [plural(objects, "object")] : []),
    ...(collections.length > 0 ? [plural(records, "record")] : []),
  ].join(", ");
}

/** Suggested first requests; each opens in the builder. */
function ExamplesCard() {
  const overview = useOverview();
  const examples = examplesFor(overview);
  if (examples.length === 0) return null;
  return (
    <section class="card" aria-labelledby="examples">
      <h2 id="examples">Try a request</h2>
      <ul class="examples-list">
        {examples.map(({ does, draft }) => (
          <li key={does}>
            <button type="button" onClick={() => openInBuilder(draft)}>
              <span>{does}</span>
              <code class="cut">
                <Method name={draft.method} /> {addressOf(draft)}
              </code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
