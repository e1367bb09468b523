import { MOUNT, SANDBOX } from "../api/base.ts";
import { credentials, keepCredentials } from "../api/credentials.ts";
import { connection, overview } from "../api/live-data.ts";
import { lastOf } from "../api/resource.ts";
import { useStore } from "../api/store.ts";
import { Icon } from "../ui/icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { ClockPill } from "./clock-pill.tsx";
import { FaultPill } from "./fault-pill.tsx";
import { open } from "./opened.ts";
import { SandboxSwitcher } from "./sandbox-switcher.tsx";
import { PALETTE_KEYS } from "./shortcuts.ts";
import { theme, toggleTheme } from "./theme.ts";

const CONNECTION_WORDS = {
  opening: "Connecting…",
  open: "Live",
  lost: "Reconnecting…",
  refused: "Not connected",
} as const;

/** The bar above every view: the shown data, the active faults, the clock, the search, and the connection. */
export function TopBar() {
  const now = useStore(connection);
  const colours = useStore(theme);
  const served = lastOf(useStore(overview));
  const isReadOnly = served?.isPresentReadOnly ?? served?.readOnly ?? false;
  const hasCredentials = credentials().apiKey !== "" || credentials().token !== "";
  return (
    <header class={SANDBOX === undefined ? "top" : "top in-sandbox"}>
      <a class="row brand" href="#/" aria-label="standin">
        <img src={`${MOUNT}/__console/icon.svg`} alt="" width="28" height="28" />
        <span>standin</span>
      </a>
      <SandboxSwitcher />
      {isReadOnly && <span class="read-only-mark">Read-only</span>}
      {served?.access?.user && <span class="read-only-mark">as {served.access.user.name}</span>}
      <FaultPill />
      <ClockPill />
      <button type="button" class="row palette-button" onClick={() => open("palette")}>
        <Icon name="search" />
        <span class="palette-words">Search and commands</span>
        <kbd>{PALETTE_KEYS}</kbd>
      </button>
      <span class={`state ${now}`} role="status">
        <span class="state-words">{CONNECTION_WORDS[now]}</span>
      </span>
      <div class="top-buttons">
        {hasCredentials && (
          <span class="wide-only">
            <IconButton icon="key" label="Sign out" onClick={signOut} />
          </span>
        )}
        <IconButton
          icon={colours === "dark" ? "sun" : "moon"}
          label={colours === "dark" ? "Use light colours" : "Use dark colours"}
          onClick={toggleTheme}
        />
        <span class="wide-only">
          <IconButton icon="keyboard" label="Keyboard shortcuts" onClick={() => open("help")} />
        </span>
      </div>
    </header>
  );
}

export function signOut(): void {
  keepCredentials({ apiKey: "", token: "" });
  location.reload();
}
