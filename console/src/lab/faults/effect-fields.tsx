import { useId } from "preact/hooks";
import { FAULT_KINDS, type FaultKind } from "../../api/faults.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Labelled } from "../../ui/labelled.tsx";
import { Select } from "../../ui/select.tsx";
import { type EffectForm, type Spread, withKind } from "./fault-form.ts";

const KIND_NAMES: Readonly<Record<FaultKind, string>> = {
  status: "Respond with a status",
  latency: "Late response",
  timeout: "No response",
  reset: "Connection reset",
  "empty-reply": "Connection closed without a response",
  "slow-body": "Slow body",
  "truncated-body": "Body cut off",
  "malformed-json": "Invalid JSON",
};

const SPREADS: readonly (readonly [Spread, string])[] = [
  ["fixed", "Always the same"],
  ["between", "Between two values"],
  ["around", "Around a value, a few far later"],
];

interface EffectFieldsProps {
  readonly effect: EffectForm;
  readonly onChange: (effect: EffectForm) => void;
  /** Undefined for the only one. */
  readonly onRemove: (() => void) | undefined;
}

/** One effect of a fault: its kind, and the settings of that kind. */
export function EffectFields({ effect, onChange, onRemove }: EffectFieldsProps) {
  return (
    <div class="column effect">
      <div class="effect-head">
        <Labelled label="What happens">
          <Select
            data-first
            value={effect.fault}
            options={FAULT_KINDS.map((kind) => [kind, KIND_NAMES[kind]] as const)}
            onChoose={(chosen) => onChange(withKind(effect, chosen))}
          />
        </Labelled>
        {onRemove && <IconButton icon="trash" label={`Remove ${KIND_NAMES[effect.fault]}`} onClick={onRemove} />}
      </div>
      <Settings effect={effect} onChange={onChange} />
    </div>
  );
}

type SettingsProps = Omit<EffectFieldsProps, "onRemove">;

function Settings({ effect, onChange }: SettingsProps) {
  const set = (changed: Partial<EffectForm>): void => onChange({ ...effect, ...changed });
  switch (effect.fault) {
    case "status":
      return <StatusSettings effect={effect} onChange={onChange} />;
    case "latency":
      return <DelaySettings effect={effect} onChange={onChange} />;
    case "timeout":
      return (
        <NumberField
          label="Close the connection after (ms)"
          hint="Empty: when the client gives up"
          value={effect.ms}
          onInput={(ms) => set({ ms })}
        />
      );
    case "slow-body":
      return (
        <NumberField
          label="Bytes per second"
          isRequired
          min={1}
          value={effect.bytesPerSecond}
          onInput={(bytesPerSecond) => set({ bytesPerSecond })}
        />
      );
    case "truncated-body":
      return (
        <NumberField
          label="Bytes that arrive"
          hint="Empty: half of the body"
          value={effect.bytes}
          onInput={(bytes) => set({ bytes })}
        />
      );
    default:
      return null;
  }
}

function StatusSettings({ effect, onChange }: SettingsProps) {
  const set = (changed: Partial<EffectForm>): void => onChange({ ...effect, ...changed });
  return (
    <>
      <div class="lab-pair">
        <NumberField
          label="Status"
          isRequired
          min={200}
          max={599}
          value={effect.status}
          onInput={(status) => set({ status })}
        />
        <Labelled label="Headers (one per line)">
          <textarea
            class="mono"
            rows={1}
            placeholder="Retry-After: 5"
            value={effect.headers}
            onInput={(event) => {
              event.currentTarget.setCustomValidity(problemOfHeaders(event.currentTarget.value));
              set({ headers: event.currentTarget.value });
            }}
          />
        </Labelled>
      </div>
      <Labelled label="Body">
        <textarea
          class="mono"
          rows={1}
          placeholder="Empty: an error that says it was made on purpose"
          value={effect.body}
          onInput={(event) => set({ body: event.currentTarget.value })}
        />
      </Labelled>
    </>
  );
}

/** Why lines are no headers; empty if they are. */
function problemOfHeaders(text: string): string {
  const wrong = text.split("\n").find((line) => line.trim() !== "" && !/^\s*[\w!#$%&'*+.^`|~-]+\s*:/.test(line));
  return wrong === undefined ? "" : `“${wrong.trim()}” is no header. Write a name, a colon and a value.`;
}

function DelaySettings({ effect, onChange }: SettingsProps) {
  const set = (changed: Partial<EffectForm>): void => onChange({ ...effect, ...changed });
  const { spread } = effect;
  return (
    <div class="lab-pair">
      <Labelled label="Delay" look={spread === "fixed" ? "field" : "field whole-row"}>
        <Select
          value={spread}
          options={SPREADS.map(([one, name]) => [one, name] as const)}
          onChoose={(chosen) => set({ spread: chosen })}
        />
      </Labelled>
      <NumberField
        label={spread === "between" ? "At least (ms)" : spread === "around" ? "Median (ms)" : "Milliseconds"}
        isRequired
        value={effect.ms}
        onInput={(ms) => set({ ms })}
      />
      {spread === "between" && (
        <NumberField
          label="At most (ms)"
          isRequired
          min={Number(effect.ms) || 0}
          value={effect.maxMs}
          onInput={(maxMs) => set({ maxMs })}
        />
      )}
      {spread === "around" && (
        <NumberField
          label="Spread (sigma)"
          isRequired
          max={10}
          step="any"
          value={effect.sigma}
          onInput={(sigma) => set({ sigma })}
        />
      )}
    </div>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly step?: "any";
}

export function NumberField({ label, value, onInput, hint, isRequired = false, min = 0, max, step }: NumberFieldProps) {
  const hintId = useId();
  return (
    <Labelled label={label}>
      {(id) => (
        <>
          <input
            id={id}
            type="number"
            inputMode="numeric"
            required={isRequired}
            min={min}
            max={max}
            step={step}
            value={value}
            aria-describedby={hint === undefined ? undefined : hintId}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          {hint !== undefined && (
            <span id={hintId} class="hint">
              {hint}
            </span>
          )}
        </>
      )}
    </Labelled>
  );
}
