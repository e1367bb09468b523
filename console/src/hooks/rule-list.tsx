import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import type { Hook, Rule, Step } from "./hook-data.ts";

interface RuleListProps {
  readonly hooks: readonly Hook[];
  readonly isReadOnly: boolean;
  readonly onTurn: (hook: Hook) => void;
  readonly onEdit: (hook: Hook) => void;
  readonly onRemove: (hook: Hook) => void;
}

export function RuleList({ hooks, isReadOnly, onTurn, onEdit, onRemove }: RuleListProps) {
  return (
    <ul class="card flush" aria-label="Hooks">
      {hooks.map((hook) => (
        <li key={hook.name} class="hook-row">
          <div class="column hook-text">
            <span class="cluster">
              <strong>{hook.name}</strong>
              {hook.off && <span class="badge">off</span>}
              {!hook.given && <span class="soft">not in the config</span>}
            </span>
            <RuleWords rule={hook} does={targetOf(hook)} more={factsOf(hook)} />
          </div>
          {!isReadOnly && (
            <div class="row actions">
              <button
                type="button"
                role="switch"
                class="fault-switch"
                aria-label={`${hook.name} is on`}
                aria-checked={!hook.off}
                onClick={() => onTurn(hook)}
              />
              <Button look="small" label={`Edit ${hook.name}`} onClick={() => onEdit(hook)}>
                Edit
              </Button>
              <IconButton icon="trash" label={`Remove ${hook.name}`} onClick={() => onRemove(hook)} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The timeline stands in the config alone. */
export function TimelineList({ steps }: { steps: readonly Step[] }) {
  return (
    <ul class="card flush" aria-label="Timeline">
      {steps.map((step) => (
        <li key={step.name} class="hook-row">
          <div class="column hook-text">
            <strong>{step.name}</strong>
            <RuleWords rule={step} does={step.remove ? "remove the record" : `set ${JSON.stringify(step.set)}`} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function RuleWords({ rule, does, more = [] }: { rule: Rule; does: string; more?: readonly string[] }) {
  const { on, if: condition, after } = rule;
  const words = [...(after === undefined ? [] : [`after ${after}`]), ...more];
  return (
    <span class="hook-words">
      <code>{[on].flat().join(", ")}</code>
      {condition !== undefined && (
        <>
          {" if "}
          <code>{condition}</code>
        </>
      )}
      {" → "}
      <code>{does}</code>
      {words.length > 0 && <span class="soft"> · {words.join(" · ")}</span>}
    </span>
  );
}

function targetOf({ to, subscribers = "" }: Hook): string {
  return to ?? `subscribers in ${subscribers}`;
}

function factsOf({ sign, retry, sandboxes }: Hook): string[] {
  return [
    ...(sign ? [`signed (${sign.as})`] : []),
    ...(retry === undefined ? [] : [`retries: ${retry}`]),
    ...(sandboxes ? ["in sandboxes, too"] : []),
  ];
}
