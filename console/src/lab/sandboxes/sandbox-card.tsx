import { inSandbox, SANDBOX } from "../../api/base.ts";
import type { Sandbox } from "../../api/sandbox.ts";
import { formatBytes, formatDate } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { Menu } from "../../ui/menu.tsx";
import { useNow } from "../../ui/use-now.ts";
import { roughTime, timeLeft } from "./time-left.ts";

interface SandboxCardProps {
  readonly sandbox: Sandbox;
  readonly expirySeconds: number;
  /** How far the clock of the server is ahead. */
  readonly aheadMs: number;
  readonly isReadOnly: boolean;
  readonly onCompare: () => void;
  readonly onReset: () => void;
  readonly onDiscard: () => void;
  readonly onCopy: () => void;
}

/** One sandbox: how old, how large, how long it stays, and everything that can be done with it. */
export function SandboxCard(props: SandboxCardProps) {
  const { sandbox, expirySeconds, aheadMs, isReadOnly, onCompare, onReset, onDiscard, onCopy } = props;
  const { name, created_at, expires_at, bytes } = sandbox;
  const now = useNow() + aheadMs;
  const leftMs = Date.parse(expires_at) - now;
  const share = Math.min(1, Math.max(0, leftMs / (expirySeconds * 1000)));
  const isHere = name === SANDBOX;
  return (
    <li class="card sandbox-card" aria-label={name}>
      <div class="sandbox-head">
        <Icon name="sandboxes" />
        <h3 class="cut" title={name}>
          {name}
        </h3>
        {isHere && <span class="badge here">You are here</span>}
        <Menu
          label={`More for ${name}`}
          button={<Icon name="more" />}
          items={[
            { name: "Promote", icon: "up", onChoose: onCompare, isDisabled: isReadOnly },
            { name: "Copy URL", icon: "copy", onChoose: onCopy },
            { name: "Reset", icon: "undo", onChoose: onReset, isDisabled: isReadOnly },
            { name: "Discard", icon: "trash", isDanger: true, onChoose: onDiscard, isDisabled: isReadOnly },
          ]}
        />
      </div>
      <p class="sandbox-facts">
        <span title={formatDate(created_at)}>{roughTime(now - Date.parse(created_at))} old</span>
        <span>{bytes > 0 ? `about ${formatBytes(bytes)} of its own` : "nothing changed yet"}</span>
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
        <button type="button" class="button small" onClick={onCompare}>
          Compare
        </button>
      </div>
    </li>
  );
}
