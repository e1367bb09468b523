import type { ComponentChildren } from "preact";
import { askAgain, lackingOf } from "../api/guard.ts";
import type { Refusal } from "../api/refusal.ts";
import type { Resource } from "../api/resource.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

/** Placeholder for an empty view: says why it is empty, and what to do about it. */
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

/** Shows an error instead of the requested content. */
export function Failure({ refusal, onRetry }: { refusal: Refusal; onRetry: () => unknown }) {
  const isGuarded = lackingOf(refusal) !== undefined;
  const retry = (): void => {
    askAgain();
    onRetry();
  };
  return (
    <Empty icon={isGuarded ? "key" : "warning"} title={refusal.title}>
      <p>{refusal.message}</p>
      <Button onClick={retry}>{isGuarded ? "Sign in" : "Try again"}</Button>
    </Empty>
  );
}

interface ProblemProps {
  readonly refusal: Refusal;
  /** Makes it a place to lead to. */
  readonly id?: string;
  /** Instead of the message. */
  readonly children?: ComponentChildren;
}

/** Shows an error next to the input that caused it. */
export function Problem({ refusal, id, children = <p>{refusal.message}</p> }: ProblemProps) {
  return (
    <div class="problem" role="alert" id={id} tabIndex={id === undefined ? undefined : -1}>
      <Icon name="warning" />
      <div>
        <strong>{refusal.title}</strong>
        {children}
      </div>
    </div>
  );
}

/** The outline of what is to come. It appears only if that takes a moment. */
export function Loading({ what }: { what: string }) {
  return (
    <div class="loading" role="status">
      <span class="unseen">Loading {what}…</span>
      <span class="bone short" />
      <span class="bone" />
      <span class="bone tall" />
    </div>
  );
}

interface NotReadyProps {
  readonly resource: Resource<unknown>;
  readonly what: string;
  readonly onRetry: () => unknown;
}

/** Stands in for a resource that is not here yet, or says above it why it may be out of date. */
export function NotReady({ resource, what, onRetry }: NotReadyProps) {
  if (resource.kind === "loading") return <Loading what={what} />;
  if (resource.kind !== "failed") return null;
  if (resource.last === undefined) return <Failure refusal={resource.refusal} onRetry={onRetry} />;
  // A banner tells that the server is gone.
  return resource.refusal.status > 0 ? <Problem refusal={resource.refusal} /> : null;
}
