import { useEffect } from "preact/hooks";
import { SANDBOX } from "../api/base.ts";
import { dataVersion, loadOverview, overview } from "../api/live-data.ts";
import { moment } from "../api/moment.ts";
import { servesData } from "../api/overview.ts";
import { useStore } from "../api/store.ts";
import { redoLast, undoLast } from "../records/undoing.ts";
import type { Route } from "../routes/route.ts";
import { go, useRoute } from "../routes/use-route.ts";
import { Icon } from "../ui/icon.tsx";
import { keepFocus } from "../ui/keep-focus.ts";
import { lazy } from "../ui/lazy.tsx";
import { Empty, Failure, Loading } from "../ui/notice.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Banner } from "./banner.tsx";
import { Dialogs } from "./dialogs.tsx";
import { LastChangeToast } from "./last-change-toast.tsx";
import { Navigation } from "./navigation.tsx";
import { open, opened } from "./opened.ts";
import { isSandboxGone, SandboxGone } from "./sandbox-gone.tsx";
import { type Action, actionOf } from "./shortcuts.ts";
import { SignIn } from "./sign-in.tsx";
import { toggleTheme } from "./theme.ts";
import { TopBar } from "./top-bar.tsx";
import { View } from "./view.tsx";
import { VIEWS, viewsFor } from "./views.ts";

const MomentBanner = lazy("the past", async () => (await import("../history/moment-banner.tsx")).MomentBanner);

export function App() {
  const route = useRoute();
  const loaded = useStore(overview);
  const isPast = useStore(moment) !== undefined;
  useShortcuts(route);
  useEffect(keepFocus, []);
  useEffect(() => {
    document.title = [titleOf(route), SANDBOX, "standin"].filter(Boolean).join(" · ");
  }, [route]);
  return (
    <>
      <button type="button" class="skip-link" onClick={() => document.getElementById("content")?.focus()}>
        Skip to content
      </button>
      <TopBar />
      <Navigation route={route} />
      <div class="stage">
        {loaded.kind === "ready" && <Banner />}
        {isPast && <MomentBanner hasScrubber={route.view !== "history"} />}
        <main id="content" tabIndex={-1}>
          {loaded.kind === "loading" && <Loading what="the overview" />}
          {loaded.kind === "failed" &&
            (isSandboxGone(loaded.refusal) ? (
              <SandboxGone />
            ) : (
              <Failure refusal={loaded.refusal} onRetry={() => void reload()} />
            ))}
          {loaded.kind === "ready" && (
            <>
              <SandboxNote view={route.view} />
              {isPast && !OF_PAST.includes(route.view) && <PresentNote />}
              {viewsFor(loaded.value).some(({ view }) => view === route.view) ? (
                <View route={route} />
              ) : (
                <NothingHere route={route} hasData={servesData(loaded.value)} />
              )}
            </>
          )}
        </main>
      </div>
      <LastChangeToast />
      <div class="dialog-place">
        <Dialogs route={route} />
      </div>
      <SignIn />
    </>
  );
}

/** A view that this server has nothing for, opened by its address or its key. */
function NothingHere({ route, hasData }: { route: Route; hasData: boolean }) {
  return (
    <div class="page">
      <PageHead title={titleOf(route)} lead="Not available on this server" />
      <WhyNothing view={hasData ? route.view : "data"} />
    </div>
  );
}

function WhyNothing({ view }: { view: Route["view"] }) {
  if (view === "record") {
    return (
      <Empty icon="record" title="Nothing is being recorded">
        <p>
          Start <code>{"standin record <url>"}</code> to record a real API.
        </p>
      </Empty>
    );
  }
  if (view === "hooks") {
    return (
      <Empty icon="hook" title="No webhooks here">
        <p>A page cannot send them. Start a server to have some.</p>
      </Empty>
    );
  }
  if (view === "examples") {
    return (
      <Empty icon="page" title="There are no examples here">
        <p>
          This server responds from data. <code>standin hosted</code> serves examples.
        </p>
      </Empty>
    );
  }
  if (view === "agents") {
    return (
      <Empty icon="agent" title="No agents here">
        <p>Agents cannot reach a page. Start a server to let them work on its data.</p>
      </Empty>
    );
  }
  if (view === "history") {
    return (
      <Empty icon="history" title="No history is kept here">
        <p>This server does not keep versions of its data.</p>
      </Empty>
    );
  }
  return (
    <Empty icon="page" title="There is no data here">
      <p>This server responds from examples and stores nothing.</p>
    </Empty>
  );
}

function useShortcuts(route: Route): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const action = actionOf(event);
      if (!action) return;
      event.preventDefault();
      perform(action, route);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [route]);
}

function perform(action: Action, route: Route): void {
  if (action === "search") document.querySelector<HTMLInputElement>("input[type=search]")?.focus();
  else if (action === "switch") document.querySelector<HTMLElement>(".switcher")?.click();
  else if (action === "new") openNew(route);
  else if (action === "undo" || action === "redo") {
    // The past cannot be changed.
    if (moment.get() === undefined) void (action === "undo" ? undoLast() : redoLast());
  } else if (action === "theme") toggleTheme();
  else if (action === "palette") opened.set(opened.get() === "palette" ? undefined : "palette");
  else if (action === "help") open("help");
  else location.hash = VIEWS.find(({ view }) => view === action)?.hash ?? "#/";
}

function openNew(route: Route): void {
  const loaded = overview.get();
  const first = loaded.kind === "ready" ? loaded.value.members[0]?.name : undefined;
  const member = route.view === "data" ? (route.member ?? first) : undefined;
  if (route.view === "data" && member !== undefined) go({ ...route, member, record: { kind: "new" } });
}

async function reload(): Promise<void> {
  await loadOverview();
  dataVersion.set(dataVersion.get() + 1);
}

function titleOf(route: Route): string {
  const name = VIEWS.find(({ view }) => view === route.view)?.name ?? "";
  if (route.view === "docs") return route.at.at(-1) ?? name;
  return route.view === "data" ? (route.member ?? name) : name;
}

/** Views of a moment of the past, where one is chosen. */
const OF_PAST: readonly Route["view"][] = ["overview", "data", "history"];

function PresentNote() {
  return (
    <p class="sandbox-note">
      <Icon name="clock" />
      <span>
        <strong>This view shows the present.</strong> The overview and the data are those of the moment.
      </span>
    </p>
  );
}

/** The differences of views inside a sandbox. */
const NOTES: Partial<Readonly<Record<Route["view"], string>>> = {
  overview: "Counts and relations are those of the sandbox; layers, rules and rewriting are those of the whole server.",
  request: "Requests go to this sandbox.",
  traffic: "You see the requests to this sandbox only.",
  agents: "You see the calls to this sandbox only.",
  lab: "You see every sandbox of the server, and the faults that requests to this one can meet.",
  hooks: "Deliveries, what is due, and the clock are those of this sandbox; the rules are those of the whole server.",
  snapshots:
    "Snapshots belong to the whole server. Saving takes this sandbox; restoring and resetting change it alone.",
};

function SandboxNote({ view }: { view: Route["view"] }) {
  const note = NOTES[view];
  if (SANDBOX === undefined || note === undefined) return null;
  return (
    <p class="sandbox-note">
      <Icon name="sandboxes" />
      <span>
        <strong>Inside {SANDBOX}.</strong> {note}
      </span>
    </p>
  );
}
