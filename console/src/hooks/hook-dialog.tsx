import { useState } from "preact/hooks";
import { useOverview } from "../api/use-overview.ts";
import { FormDialog } from "../ui/form.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { Select } from "../ui/select.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { addHook, changeHook, type Hook } from "./hook-data.ts";
import { type HookForm, hookBodyOf, hookFormOf } from "./hook-form.ts";

const SIGNATURES = [
  ["", "None"],
  ["standard", "Standard Webhooks"],
  ["github", "As GitHub"],
  ["stripe", "As Stripe"],
  ["hmac", "HMAC of the body"],
] as const;

/** The origin of a program beside the server. */
const EXAMPLE = `http://${location.hostname}:4000`;

interface HookDialogProps {
  /** The one to change; undefined for a new one. */
  readonly hook: Hook | undefined;
  /** Origins that a hook may name. */
  readonly targets: readonly string[];
  readonly onSaved: (text: string) => void;
  readonly onClose: () => void;
}

/** Where a hook is put together: which changes, where to, how. */
export function HookDialog({ hook, targets, onSaved, onClose }: HookDialogProps) {
  const [form, setForm] = useState(() => hookFormOf(hook ?? {}));
  const { refusal, isBusy, attempt } = useAttempt();
  const collections = useOverview().members.flatMap(({ name, kind }) => (kind === "collection" ? [name] : []));
  const set = (changed: Partial<HookForm>): void => setForm({ ...form, ...changed });
  const text = (key: Exclude<keyof HookForm, "sandboxes">) => ({
    value: form[key],
    autocomplete: "off",
    spellcheck: false,
    onInput: (event: { currentTarget: HTMLInputElement }) => set({ [key]: event.currentTarget.value }),
  });
  const save = (): Promise<void> =>
    attempt(async () => {
      const body = hookBodyOf(form, hook);
      await (hook ? changeHook(hook.name, body) : addHook(body));
      onSaved(hook ? `Changed ${hook.name}.` : `Added ${form.name.trim()}.`);
    });
  return (
    <FormDialog
      title={hook ? `Edit ${hook.name}` : "New hook"}
      action={hook ? "Save" : "Add"}
      refusal={refusal}
      isBusy={isBusy}
      onSubmit={save}
      onClose={onClose}
    >
      <Labelled label="Name">
        <input {...text("name")} required readOnly={hook !== undefined} data-first={hook === undefined} />
      </Labelled>
      <Labelled label="Events, separated by commas">
        <input {...text("on")} class="mono" required list="hook-events" placeholder="orders.created" />
      </Labelled>
      <datalist id="hook-events">
        {["*", ...collections.flatMap(eventsOf)].map((event) => (
          <option key={event} value={event} />
        ))}
      </datalist>
      <Labelled label="Only if (optional)">
        <input {...text("if")} class="mono" placeholder="status=paid" />
      </Labelled>
      <Labelled label="Address">
        <input {...text("to")} class="mono" type="url" placeholder={`${EXAMPLE}/hook`} />
      </Labelled>
      <p class="hint">
        {targets.length === 0 ? (
          <>
            The config allows no addresses yet: add <code>{`"hookTargets": ["${EXAMPLE}"]`}</code> to it.
          </>
        ) : (
          `Allowed by the config: ${targets.join(", ")}`
        )}
      </p>
      <Labelled label="Or every subscriber in">
        <Select
          value={form.subscribers}
          options={[["", "No collection"], ...collections]}
          onChoose={(subscribers) => set({ subscribers })}
        />
      </Labelled>
      <div class="hook-pair">
        <Labelled label="Delay (optional)">
          <input {...text("after")} class="mono" placeholder="3s" />
        </Labelled>
        <Labelled label="Retries">
          <input {...text("retry")} type="number" min="0" max="20" placeholder="5" />
        </Labelled>
      </div>
      <Signature form={form} hasSecret={hook?.sign !== undefined} onChange={set} />
      <label class="row">
        <input
          type="checkbox"
          checked={form.sandboxes}
          onChange={(event) => set({ sandboxes: event.currentTarget.checked })}
        />
        Also for changes in sandboxes
      </label>
    </FormDialog>
  );
}

interface SignatureProps {
  readonly form: HookForm;
  readonly hasSecret: boolean;
  readonly onChange: (changed: Partial<HookForm>) => void;
}

function Signature({ form, hasSecret, onChange }: SignatureProps) {
  return (
    <div class="hook-pair">
      <Labelled label="Signature">
        <Select value={form.as} options={SIGNATURES} onChoose={(as) => onChange({ as })} />
      </Labelled>
      {form.as !== "" && (
        <Labelled label="Secret">
          <input
            type="password"
            autocomplete="off"
            placeholder={hasSecret ? "As before" : ""}
            value={form.secret}
            onInput={(event) => onChange({ secret: event.currentTarget.value })}
          />
        </Labelled>
      )}
    </div>
  );
}

function eventsOf(collection: string): string[] {
  return ["created", "changed", "removed"].map((kind) => `${collection}.${kind}`);
}
