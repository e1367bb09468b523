import { useEffect, useRef, useState } from "preact/hooks";
import { inSandbox, SANDBOX } from "../api/base.ts";
import { servesData } from "../api/overview.ts";
import { lastOf, refusalIn } from "../api/resource.ts";
import { MANY_SANDBOXES, sandboxesNamed, serverAhead } from "../api/sandbox-list.ts";
import { useStore } from "../api/store.ts";
import { useKnownOverview } from "../api/use-overview.ts";
import { timeLeft } from "../lab/sandboxes/time-left.ts";
import { leaveFor } from "../routes/leave-for.ts";
import { go } from "../routes/use-route.ts";
import { Icon } from "../ui/icon.tsx";
import { moveFocus } from "../ui/move-focus.ts";
import { Problem } from "../ui/notice.tsx";
import { Popover } from "../ui/popover.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { open } from "./opened.ts";
import { useSandboxes } from "./use-sandboxes.ts";

/** Which data the console shows: the main data or a sandbox. */
export function SandboxSwitcher() {
  const overview = useKnownOverview();
  const hasSandboxes = overview?.sandboxes !== null || SANDBOX !== undefined;
  if (overview && !servesData(overview)) return null;
  const button = (
    <>
      <Icon name={SANDBOX === undefined ? "data" : "sandboxes"} />
      <span class="cut">{SANDBOX ?? "Main data"}</span>
      <Icon name="unfold" />
    </>
  );
  return (
    <Popover
      label="Data to show"
      look={SANDBOX === undefined ? "button small switcher" : "button small switcher in-sandbox"}
      buttonLabel={SANDBOX === undefined ? "Main data. Switch to a sandbox" : `Sandbox ${SANDBOX}. Switch`}
      button={button}
    >
      {(close) => (hasSandboxes ? <Choices close={close} /> : <Off />)}
    </Popover>
  );
}

function Off() {
  return (
    <p class="switcher-note">
      Sandboxes are not available here: they were switched off with <code>--sandboxes 0</code>, or the data is in a
      database.
    </p>
  );
}

/** A finger that opens the list did not ask for a keyboard over it. */
const isTyping = matchMedia("(pointer: fine)").matches;

function Choices({ close }: { close: () => void }) {
  const overview = useKnownOverview();
  const [sandboxes, loaded] = useSandboxes();
  const refusal = refusalIn(loaded);
  const [wanted, setWanted] = useState("");
  const now = Date.now() + useStore(serverAhead);
  const areMany = sandboxes.length > MANY_SANDBOXES;
  const found = sandboxesNamed(sandboxes, areMany ? wanted : "");
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // They may have been loaded after the list was opened.
    if (areMany && isTyping) list.current?.querySelector("input")?.focus();
  }, [areMany]);
  const isSearching = areMany && wanted.trim() !== "";
  const [first] = isSearching ? found : [];
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement && first) leaveFor(inSandbox(first.name));
    else moveFocus(event);
  };
  return (
    <div ref={list} class="column switcher-list" role="none" onKeyDown={press}>
      {areMany && <SearchBox label="Find a sandbox" value={wanted} isFirst={isTyping} onInput={setWanted} />}
      {!isSearching && <Choice name={undefined} note="what clients see" />}
      <p class="switcher-title">Sandboxes</p>
      {refusal && <Problem refusal={refusal} />}
      {loaded.kind === "loading" && <p class="switcher-note">Loading the sandboxes…</p>}
      {lastOf(loaded) && sandboxes.length === 0 && (
        <p class="switcher-note">None yet. A sandbox is a private copy of the data.</p>
      )}
      {sandboxes.length > 0 && found.length === 0 && <p class="switcher-note">No name contains “{wanted.trim()}”.</p>}
      {found.length > 0 && (
        <ul class="switcher-names">
          {found.map(({ name, expires_at }) => (
            <li key={name}>
              <Choice name={name} note={`${timeLeft(Date.parse(expires_at) - now)} left`} />
            </li>
          ))}
        </ul>
      )}
      <div class="switcher-foot">
        {!overview?.readOnly && (
          <button
            type="button"
            class="menu-item"
            onClick={() => {
              close();
              open("new-sandbox");
            }}
          >
            <Icon name="plus" />
            New sandbox
          </button>
        )}
        <button
          type="button"
          class="menu-item"
          onClick={() => {
            close();
            go({ view: "lab" });
          }}
        >
          <Icon name="lab" />
          {overview?.readOnly ? "Compare" : "Compare, apply, discard"}
        </button>
      </div>
    </div>
  );
}

function Choice({ name, note }: { name: string | undefined; note: string }) {
  const isHere = name === SANDBOX;
  return (
    <a
      class="menu-item"
      href={inSandbox(name)}
      aria-current={isHere ? "true" : undefined}
      data-first={isHere ? "" : undefined}
    >
      <Icon name={name === undefined ? "data" : "sandboxes"} />
      <span class="cut">{name ?? "Main data"}</span>
      <span class="switcher-time">{note}</span>
      {isHere && <Icon name="check" />}
    </a>
  );
}
