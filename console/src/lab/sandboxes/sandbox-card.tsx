import { inSandbox, SANDBOX } from "../../api/base.ts";
import type { Sandbox } from "../../api/sandbox.ts";
import { serverAhead } from "../../api/sandbox-list.ts";
import { useStore } from "../../api/store.ts";
import { Button } from "../../ui/button.tsx";
import { formatDate, plural } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { Menu } from "../../ui/menu.tsx";
import { useNow } from "../../ui/use-now.ts";
import { roughTime, timeLeft } from "./time-left.ts";

export interface SandboxCardProps {
  readonly sandbox: Sandbox;
  readonly expirySeconds: number;
  readonly isReadOnly: boolean;
  readonly onCompare: (sandbox: Sandbox) => void;
  readonly onReset: (sandbox: Sandbox) => void;
  readonly onDiscard: (sandbox: Sandbox) => void;
  readonly onCopy: (sandbox: Sandbox) => void;
}

/** One sandbox: how old, how large, how long it stays, and everything that can be done with it. */
export function SandboxCard(props: SandboxCardProps) {
  const { sandbox, expirySeconds, isReadOnly, onCompare, onReset, onDiscard, onCopy } = props;
  const { name, created_at, expires_at, changes } = sandbox;
  const now = useNow() + useStore(serverAhead);
  const leftMs = Date.parse(expires_at) - now;
  const share = Math.min(1, Math.max(0, leftMs / (expirySeconds * 1000)));
  const isHere = name === SANDBOX;
  return (
    <li class="column card sandbox-card" aria-label={name}>
      <div class="row sandbox-head">
        <Icon name="sandboxes" />
        <h3 class="cut" title={name}>
          {name}
        </h3>
        {isHere && <span class="badge here">You are here</span>}
        <Menu
          label={`More for ${name}`}
          button={<Icon name="more" />}
          items={[
            { name: "Apply to main data", icon: "up", onChoose: () => onCompare(sandbox), isDisabled: isReadOnly },
            { name: "Copy URL", icon: "copy", onChoose: () => onCopy(sandbox) },
            { name: "Reset", icon: "undo", onChoose: () => onReset(sandbox), isDisabled: isReadOnly },
            {
              name: "Discard",
              icon: "trash",
              isDanger: true,
              onChoose: () => onDiscard(sandbox),
              isDisabled: isReadOnly,
            },
          ]}
        />
      </div>
      <p class="sandbox-facts">
        <span title={formatDate(created_at)}>{roughTime(now - Date.parse(created_at))} old</span>
        <span>{changes > 0 ? plural(changes, "change") : "nothing changed yet"}</span>
      </p>
      <div class="expiry" title={`Removed on ${formatDate(expires_at)} unless it is used`}>
        <span class={leftMs < 120_000 ? "expiry-text soon" : "expiry-text"}>
          {leftMs > 0 ? `Expires in ${timeLeft(leftMs)}` : "Expired"}
        </span>
        <span class="expiry-bar" aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      </div>
      <div class="sandbox-actions">
        {isHere ? (
          <a class="button small" href={inSandbox(undefined, "#/lab")}>
            Leave
          </a>
        ) : (
          <a class="button small" href={inSandbox(name, "#/")}>
            Open
          </a>
        )}
        <Button look="small" onClick={() => onCompare(sandbox)}>
          Compare
        </Button>
      </div>
    </li>
  );
}
