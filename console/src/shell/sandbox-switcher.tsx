import { inSandbox, SANDBOX } from "../api/base.ts";
import { serverAhead } from "../lab/sandboxes/sandbox-list.ts";
import { timeLeft } from "../lab/sandboxes/time-left.ts";
import { Icon } from "../ui/icon.tsx";
import { moveFocus } from "../ui/move-focus.ts";
import { Problem } from "../ui/notice.tsx";
import { Popover } from "../ui/popover.tsx";
import { useStore } from "../ui/store.ts";
import { open } from "./opened.ts";
import { go } from "./use-route.ts";
import { useSandboxes } from "./use-sandboxes.ts";

/** Which data the console shows: the main data or a sandbox. */
export function SandboxSwitcher({ hasSandboxes }: { hasSandboxes: boolean }) {
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
      {(close) => (hasSandboxes || SANDBOX !== undefined ? <Choices close={close} /> : <Off />)}
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

function Choices({ close }: { close: () => void }) {
  const { sandboxes, isLoaded, refusal } = useSandboxes();
  const now = Date.now() + useStore(serverAhead);
  return (
    <div class="switcher-list" role="none" onKeyDown={moveFocus}>
      <Choice name={undefined} note="what clients see" />
      <p class="switcher-title">Sandboxes</p>
      {refusal && <Problem refusal={refusal} />}
      {!isLoaded && !refusal && <p class="switcher-note">Loading the sandboxes…</p>}
      {isLoaded && sandboxes.length === 0 && (
        <p class="switcher-note">None yet. A sandbox is a private copy of the data.</p>
      )}
      {sandboxes.length > 0 && (
        <ul class="switcher-names">
          {sandboxes.map(({ name, expires_at }) => (
            <li key={name}>
              <Choice name={name} note={`${timeLeft(Date.parse(expires_at) - now)} left`} />
            </li>
          ))}
        </ul>
      )}
      <div class="switcher-foot">
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
        <button
          type="button"
          class="menu-item"
          onClick={() => {
            close();
            go({ view: "lab" });
          }}
        >
          <Icon name="lab" />
          Compare, promote, discard
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
