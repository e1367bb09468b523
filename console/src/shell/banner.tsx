import type { ComponentChildren } from "preact";
import { SANDBOX } from "../api/base.ts";
import { retryNow } from "../api/follow.ts";
import { askAgain, lackingOf } from "../api/guard.ts";
import { connection, loadOverview, streamRefusal } from "../api/live-data.ts";
import { useStore } from "../api/store.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useHeld } from "../ui/use-held.ts";
import { isSandboxGone, SandboxWaysOut } from "./sandbox-gone.tsx";

/** Says above the view why it may be out of date, and what to do. */
export function Banner() {
  const now = useStore(connection);
  const refusal = useStore(streamRefusal);
  const isOffline = useHeld(now === "lost");
  if (refusal && isSandboxGone(refusal)) {
    return (
      <Notice title={`Sandbox ${SANDBOX} is gone`} text="It expired or was discarded. You see what it last held.">
        <SandboxWaysOut look="button small" />
      </Notice>
    );
  }
  if (isOffline) {
    return (
      <Notice
        title="The server does not respond"
        text="You see the last known state, and changes cannot be saved. Is standin still running?"
      >
        <Button look="small" onClick={retryNow}>
          Try now
        </Button>
      </Notice>
    );
  }
  if (now === "refused" && refusal) {
    const isGuarded = lackingOf(refusal) !== undefined;
    return (
      <Notice title="No live updates" text={refusal.message}>
        <Button look="small" onClick={connectAgain}>
          {isGuarded ? "Sign in" : "Try again"}
        </Button>
      </Notice>
    );
  }
  return null;
}

function connectAgain(): void {
  askAgain();
  void loadOverview();
}

function Notice({ title, text, children }: { title: string; text: string; children: ComponentChildren }) {
  return (
    <div class="cluster banner" role="alert">
      <Icon name="warning" />
      <p>
        <strong>{title}.</strong> {text}
      </p>
      <div>{children}</div>
    </div>
  );
}
