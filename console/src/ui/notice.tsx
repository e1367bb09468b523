import type { ComponentChildren } from "preact";
import { askAgain, lackingOf } from "../api/guard.ts";
import type { Refusal } from "../api/refusal.ts";
import { Icon, type IconName } from "./icon.tsx";

/** What is shown where there is nothing to show: what it means, and what to do about it. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      <div class="empty-text">{children}</div>
    </div>
  );
}

/** A refusal in place of what was asked for. */
export function Failure({ refusal, onRetry }: { refusal: Refusal; onRetry: () => void }) {
  const isGuarded = lackingOf(refusal) !== undefined;
  const retry = (): void => {
    askAgain();
    onRetry();
  };
  return (
    <Empty icon={isGuarded ? "key" : "warning"} title={refusal.title}>
      <p>{refusal.message}</p>
      <button type="button" class="button" onClick={retry}>
        {isGuarded ? "Sign in" : "Try again"}
      </button>
    </Empty>
  );
}

/** A refusal of something just tried, beside what was typed. */
export function Problem({ refusal }: { refusal: Refusal }) {
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{refusal.title}</strong>
        <p>{refusal.message}</p>
      </div>
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what}…
    </p>
  );
}
