import { useEffect, useState } from "preact/hooks";
import { dataVersion, loadOverview, overview } from "../api/live-data.ts";
import { Failure, Loading } from "../ui/notice.tsx";
import { useStore } from "../ui/store.ts";
import { Help } from "./help.tsx";
import { LastChangeToast, undoLast } from "./last-change-toast.tsx";
import { Navigation } from "./navigation.tsx";
import type { Route } from "./route.ts";
import { type Action, actionOf } from "./shortcuts.ts";
import { SignIn } from "./sign-in.tsx";
import { toggleTheme } from "./theme.ts";
import { go, useRoute } from "./use-route.ts";
import { View } from "./view.tsx";

export function App() {
  const route = useRoute();
  const loaded = useStore(overview);
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcuts(route, () => setHelpOpen(true));
  useEffect(() => {
    document.title = `${titleOf(route)} · standin`;
  }, [route]);
  return (
    <>
      <button type="button" class="skip-link" onClick={() => document.getElementById("content")?.focus()}>
        Skip to content
      </button>
      <Navigation route={route} loaded={loaded} onHelp={() => setHelpOpen(true)} />
      <main id="content" tabIndex={-1}>
        {loaded.kind === "loading" && <Loading what="the overview" />}
        {loaded.kind === "failed" && <Failure refusal={loaded.refusal} onRetry={() => void reload()} />}
        {loaded.kind === "ready" && <View route={route} overview={loaded.value} />}
      </main>
      <LastChangeToast />
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
      <SignIn />
    </>
  );
}

function useShortcuts(route: Route, onHelp: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const action = actionOf(event);
      if (!action) return;
      event.preventDefault();
      perform(action, route, onHelp);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [route, onHelp]);
}

function perform(action: Action, route: Route, onHelp: () => void): void {
  if (action === "data") go({ view: "data", member: undefined, record: { kind: "none" }, query: "" });
  else if (action === "search") document.querySelector<HTMLInputElement>("input[type=search]")?.focus();
  else if (action === "new") openNew(route);
  else if (action === "undo") void undoLast();
  else if (action === "theme") toggleTheme();
  else if (action === "help") onHelp();
  else go({ view: action });
}

function openNew(route: Route): void {
  if (route.view === "data" && route.member) go({ ...route, record: { kind: "new" } });
}

async function reload(): Promise<void> {
  await loadOverview();
  dataVersion.set(dataVersion.get() + 1);
}

function titleOf(route: Route): string {
  if (route.view === "data") return route.member ?? "Data";
  if (route.view === "lab") return "Test lab";
  return `${route.view[0]?.toUpperCase()}${route.view.slice(1)}`;
}
