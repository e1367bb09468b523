import { useOverview } from "../../api/use-overview.ts";
import { Chip } from "../../ui/chip.tsx";
import { Labelled } from "../../ui/labelled.tsx";
import { Select } from "../../ui/select.tsx";
import { type FaultForm, MAIN_DATA, METHODS } from "./fault-form.ts";

interface RequestFieldsProps {
  readonly form: FaultForm;
  readonly sandboxes: readonly string[];
  readonly onChange: (form: FaultForm) => void;
}

/** Which requests meet a fault. */
export function RequestFields({ form, sandboxes, onChange }: RequestFieldsProps) {
  const overview = useOverview();
  const set = (changed: Partial<FaultForm>): void => onChange({ ...form, ...changed });
  const toggle = (method: string): void => {
    const isOn = form.methods.includes(method);
    set({ methods: isOn ? form.methods.filter((one) => one !== method) : [...form.methods, method] });
  };
  const methods = [...new Set([...METHODS, ...form.methods])];
  return (
    <fieldset>
      <legend>Which requests</legend>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons that are pressed or not */}
      <div class="chips" role="group" aria-label="Methods">
        {methods.map((method) => (
          <Chip key={method} name={method} isOn={form.methods.includes(method)} onToggle={() => toggle(method)} />
        ))}
        {form.methods.length === 0 && <span class="hint">All methods</span>}
      </div>
      <div class="lab-pair">
        <Choice
          label="Collection"
          none="Any"
          value={form.collection}
          values={overview.members.map(({ name }) => name)}
          onChange={(collection) => set({ collection })}
        />
        <Labelled label="Path">
          <input
            class="mono"
            pattern="\s*/.*"
            title="A path that begins with /"
            placeholder="/products/:id"
            autocomplete="off"
            value={form.path}
            onInput={(event) => set({ path: event.currentTarget.value })}
          />
        </Labelled>
      </div>
      {(overview.sandboxes !== null || form.sandbox !== "") && (
        <Choice
          label="Sandbox"
          none="Everywhere: the main data and all sandboxes"
          value={form.sandbox}
          values={[[MAIN_DATA, "Main data only"], ...sandboxes]}
          onChange={(sandbox) => set({ sandbox })}
        />
      )}
    </fieldset>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly none: string;
  readonly value: string;
  /** Each a value, or a value and its name. */
  readonly values: readonly (string | readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, none, value, values, onChange }: ChoiceProps) {
  // A collection or a sandbox of a draft may be gone.
  const offered = value === "" || values.some((one) => [one].flat()[0] === value) ? values : [...values, value];
  return (
    <Labelled label={label}>
      <Select value={value} options={[["", none], ...offered]} onChoose={onChange} />
    </Labelled>
  );
}
