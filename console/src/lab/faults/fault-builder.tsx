import { useState } from "preact/hooks";
import { SANDBOX } from "../../api/base.ts";
import { type ActiveFault, addFault, type FaultRule } from "../../api/faults.ts";
import { isSameJson, type Json } from "../../api/json.ts";
import { asRefusal, type Refusal } from "../../api/refusal.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { Problem } from "../../ui/notice.tsx";
import { EffectFields, NumberField } from "./effect-fields.tsx";
import { type FaultForm, formOf, rulesOf } from "./fault-form.ts";
import { effectOf, limitsOf, scopeOf } from "./fault-words.ts";
import { PresetButtons } from "./preset-buttons.tsx";
import { PRESETS } from "./presets.ts";
import { RequestFields } from "./request-fields.tsx";

interface FaultBuilderProps {
  readonly sandboxes: readonly string[];
  /** To begin with. */
  readonly rules: readonly FaultRule[];
  /** Whether it takes the place of another one. */
  readonly isEdited?: boolean;
  readonly onAdded: (added: readonly ActiveFault[]) => void;
  readonly onClose: () => void;
}

/** Where a fault is put together: what happens, to which requests, how often. */
export function FaultBuilder({ sandboxes, rules, isEdited = false, onAdded, onClose }: FaultBuilderProps) {
  const [form, setForm] = useState(() => placed(formOf(rules)));
  const [refusal, setRefusal] = useState<Refusal>();
  const [isBusy, setBusy] = useState(false);
  const set = (changed: Partial<FaultForm>): void => setForm({ ...form, ...changed });
  const made = rulesOf(form);
  const add = async (): Promise<void> => {
    setRefusal(undefined);
    setBusy(true);
    try {
      onAdded(await addFault(...made));
    } catch (thrown) {
      setRefusal(asRefusal(thrown));
      setBusy(false);
    }
  };
  return (
    <Dialog title={isEdited ? "Edit fault" : "New fault"} shape="drawer" onClose={onClose}>
      <Form class="stack fault-form" onSubmit={() => add()}>
        <PresetButtons
          look="chips"
          isChosen={({ rules: wanted }) => isSamePreset(made, wanted)}
          onChoose={({ rules: wanted }) => setForm(withEffects(form, made, wanted))}
        />
        <Effects form={form} onChange={setForm} />
        <RequestFields form={form} sandboxes={sandboxes} onChange={setForm} />
        <fieldset>
          <legend>How often</legend>
          <div class="lab-pair">
            <NumberField
              label="Share of requests (%)"
              isRequired
              max={100}
              step="any"
              value={form.percent}
              onInput={(percent) => set({ percent })}
            />
            <NumberField
              label="Let pass first (requests)"
              hint="Empty: none"
              value={form.skip}
              onInput={(skip) => set({ skip })}
            />
            <NumberField
              label="At most (times)"
              hint="Empty: no limit"
              min={1}
              value={form.count}
              onInput={(count) => set({ count })}
            />
          </div>
          <label class="check">
            <input
              type="checkbox"
              checked={form.after}
              onChange={(event) => set({ after: event.currentTarget.checked })}
            />
            Carry out the request first
          </label>
          <p class="hint">The change is made, but the client never learns of it.</p>
        </fieldset>
        <div class="drawer-foot">
          {refusal && <Problem refusal={refusal} />}
          <p class="soft" aria-live="polite">
            {summaryOf(made)}
          </p>
          <div class="cluster actions">
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" isBusy={isBusy}>
              {isEdited ? "Save" : "Add fault"}
            </Button>
          </div>
        </div>
      </Form>
    </Dialog>
  );
}

/** A fault made inside a sandbox is meant for it. */
function placed(form: FaultForm): FaultForm {
  return { ...form, sandbox: form.sandbox || SANDBOX || "" };
}

/** A preset says what happens: the requests that the form names stay, unless they were those of the preset before. */
function withEffects(form: FaultForm, made: readonly FaultRule[], wanted: readonly FaultRule[]): FaultForm {
  const next = formOf(wanted);
  const before = PRESETS.find(({ rules }) => isSamePreset(made, rules));
  const areOfPreset = before?.rules.some(({ method }) => method !== undefined) ?? false;
  const methods = next.methods.length > 0 || areOfPreset ? next.methods : form.methods;
  const { path, collection, sandbox } = form;
  return { ...next, methods, path, collection, sandbox };
}

/** Wherever it happens. */
function isSamePreset(made: readonly FaultRule[], wanted: readonly FaultRule[]): boolean {
  const hasMethods = wanted.some(({ method }) => method !== undefined);
  const anywhere = made.map(({ sandbox: _sandbox, path: _path, collection: _collection, method, ...rule }) =>
    hasMethods && method !== undefined ? { ...rule, method } : rule,
  );
  return isSameJson(anywhere as unknown as Json, wanted as unknown as Json);
}

function summaryOf(rules: readonly FaultRule[]): string {
  const [first] = rules;
  if (!first) return "";
  const effects = rules.map((rule, at) => (at === 0 ? effectOf(rule) : withSmallStart(effectOf(rule)))).join(" and ");
  return [`${scopeOf(first)}: ${effects}`, ...limitsOf(first)].join(", ");
}

function withSmallStart(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function Effects({ form, onChange }: { form: FaultForm; onChange: (form: FaultForm) => void }) {
  const { effects } = form;
  const hasOneOfEach = effects.some(({ fault }) => fault === "latency") && effects.length > 1;
  const missing: FaultRule = effects.some(({ fault }) => fault === "latency")
    ? { fault: "status", status: 503 }
    : { fault: "latency", ms: 1000 };
  return (
    <div class="stack">
      {effects.map((effect, at) => (
        <EffectFields
          key={at}
          effect={effect}
          onChange={(changed) => onChange({ ...form, effects: effects.with(at, changed) })}
          onRemove={effects.length > 1 ? () => onChange({ ...form, effects: effects.toSpliced(at, 1) }) : undefined}
        />
      ))}
      {!hasOneOfEach && (
        <Button
          look="small at-start"
          icon="plus"
          onClick={() => onChange({ ...form, effects: [...effects, ...formOf([missing]).effects] })}
        >
          {missing.fault === "latency" ? "Delay it, too" : "Let it fail, too"}
        </Button>
      )}
    </div>
  );
}
