import { inSandbox, SANDBOX } from "../api/base.ts";
import { credentials, keepCredentials } from "../api/credentials.ts";
import { connection, type Loaded } from "../api/live-data.ts";
import type { Overview } from "../api/overview.ts";
import { formatCount } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { useStore } from "../ui/store.ts";
import { formatRoute, listRoute, type Route } from "./route.ts";
import { theme, toggleTheme } from "./theme.ts";

const VIEWS: readonly { view: Route["view"]; name: string; icon: IconName }[] = [
  { view: "overview", name: "Overview", icon: "overview" },
  { view: "data", name: "Data", icon: "data" },
  { view: "request", name: "Request", icon: "request" },
  { view: "traffic", name: "Traffic", icon: "traffic" },
  { view: "lab", name: "Test lab", icon: "lab" },
  { view: "snapshots", name: "Snapshots", icon: "snapshots" },
];

const CONNECTION_WORDS = {
  opening: "Connecting…",
  open: "Live",
  lost: "Reconnecting…",
  refused: "Not connected",
} as const;

interface NavigationProps {
  readonly route: Route;
  readonly loaded: Loaded<Overview>;
  readonly onHelp: () => void;
}

/** The navigation: at the side if there is room, at the bottom on a phone. */
export function Navigation({ route, loaded, onHelp }: NavigationProps) {
  const now = useStore(connection);
  const members = loaded.kind === "ready" ? loaded.value.members : [];
  const hasCredentials = credentials().apiKey !== "" || credentials().token !== "";
  return (
    <header class={route.view === "data" ? "side on-data" : "side"}>
      <a class="brand" href="#/">
        <img src="/__console/icon.svg" alt="" width="28" height="28" />
        <span>standin</span>
      </a>
      {SANDBOX !== undefined && (
        <a class="button small" href={inSandbox(undefined)}>
          <span class="cut">Leave {SANDBOX}</span>
        </a>
      )}
      <nav aria-label="Views" class="views">
        {VIEWS.map(({ view, name, icon }) => (
          <a
            key={view}
            href={view === "data" ? "#/data" : formatRoute({ view } as Route)}
            aria-current={route.view === view ? "page" : undefined}
          >
            <Icon name={icon} />
            <span>{name}</span>
          </a>
        ))}
      </nav>
      {(members.length > 0 || loaded.kind === "loading") && (
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
      <div class="side-foot">
        <span class={`state ${now}`} role="status">
          {CONNECTION_WORDS[now]}
        </span>
        {hasCredentials && (
          <button type="button" class="icon-button" aria-label="Forget the key of this tab" onClick={signOut}>
            <Icon name="key" />
          </button>
        )}
        <ThemeButton />
        <button type="button" class="icon-button" aria-label="Keyboard shortcuts" onClick={onHelp}>
          <Icon name="keyboard" />
        </button>
      </div>
    </header>
  );
}

function ThemeButton() {
  const now = useStore(theme);
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={now === "dark" ? "Use light colours" : "Use dark colours"}
      onClick={toggleTheme}
    >
      <Icon name={now === "dark" ? "sun" : "moon"} />
    </button>
  );
}

function signOut(): void {
  keepCredentials({ apiKey: "", token: "" });
  location.reload();
}
