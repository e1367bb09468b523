import { useState } from "preact/hooks";
import { askJson } from "../../api/ask.ts";
import { lastOf } from "../../api/resource.ts";
import { nameOf, type Snapshot } from "../../api/snapshot.ts";
import { useStore } from "../../api/store.ts";
import { useOverview } from "../../api/use-overview.ts";
import { useResource } from "../../api/use-resource.ts";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/form.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Labelled } from "../../ui/labelled.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { Select } from "../../ui/select.tsx";
import { useFocusAdded } from "../../ui/use-focus-added.ts";
import { readSequence } from "../faults/fault-sequence.ts";
import { removeScenario, type Scenario, type ScenarioStep, saveScenario, scenarios } from "./scenario.ts";

const NEW_STEP: ScenarioStep = { snapshot: "", faults: "" };

interface ScenarioDialogProps {
  /** The one that is edited. */
  readonly scenario: Scenario | undefined;
  readonly onClose: () => void;
}

/** Puts a scenario together, state by state. */
export function ScenarioDialog({ scenario, onClose }: ScenarioDialogProps) {
  const { snapshots: hasSnapshots } = useOverview();
  const [name, setName] = useState(scenario?.name ?? "");
  const [steps, setSteps] = useState(scenario?.steps ?? [NEW_STEP]);
  const [saved] = useResource<readonly Snapshot[]>(
    (signal) => (hasSnapshots ? askJson("GET", "/__snapshots__", { isMain: true, signal }) : undefined),
    [hasSnapshots],
  );
  const names = [...new Set((lastOf(saved) ?? []).map(nameOf))];
  const taken = useStore(scenarios).flatMap((one) => (one.name === scenario?.name ? [] : [one.name]));
  const isReadable = steps.every(({ faults }) => readSequence(faults).kind === "steps");
  const list = useFocusAdded<HTMLDivElement>("li", steps.length);
  const set = (at: number, changed: Partial<ScenarioStep>): void =>
    setSteps(steps.map((step, place) => (place === at ? { ...step, ...changed } : step)));
  return (
    <FormDialog
      title={scenario ? `Edit ${scenario.name}` : "New scenario"}
      action="Save"
      isDisabled={!isReadable}
      onSubmit={() => {
        if (scenario) removeScenario(scenario);
        saveScenario({ name: name.trim(), steps });
        onClose();
      }}
      onClose={onClose}
    >
      <Labelled label="Name">
        {(id) => (
          <NameInput {...{ id, taken }} what="scenario" placeholder="session expires" value={name} onInput={setName} />
        )}
      </Labelled>
      <div class="stack" ref={list}>
        <ol class="stack scenario-steps">
          {steps.map((step, at) => (
            <li key={at}>
              <StepFields
                {...{ step, names }}
                title={`Step ${at + 1}`}
                onChange={(changed) => set(at, changed)}
                onRemove={steps.length > 1 ? () => setSteps(steps.toSpliced(at, 1)) : undefined}
              />
            </li>
          ))}
        </ol>
        <Button look="small at-start" icon="plus" onClick={() => setSteps([...steps, NEW_STEP])}>
          Add a step
        </Button>
      </div>
      {!isReadable && (
        <p class="sequence-problem" role="alert">
          {problemOf(steps)}
        </p>
      )}
    </FormDialog>
  );
}

interface StepFieldsProps {
  readonly step: ScenarioStep;
  readonly title: string;
  /** The snapshots to choose from. */
  readonly names: readonly string[];
  readonly onChange: (changed: Partial<ScenarioStep>) => void;
  /** Undefined for the only one. */
  readonly onRemove: (() => void) | undefined;
}

function StepFields({ step, title, names, onChange, onRemove }: StepFieldsProps) {
  // That of an edited step may be gone.
  const offered = [...new Set([...names, step.snapshot])].filter((one) => one !== "");
  return (
    <fieldset class="scenario-step">
      <legend>{title}</legend>
      <Labelled label="Data">
        <Select
          value={step.snapshot}
          options={[["", "As it is"], ...offered]}
          onChoose={(snapshot) => onChange({ snapshot })}
        />
      </Labelled>
      <Labelled label="Requests">
        <input
          autocomplete="off"
          placeholder="as usual, or: 2 x 503, then ok"
          aria-invalid={readSequence(step.faults).kind === "problem"}
          value={step.faults}
          onInput={(event) => onChange({ faults: event.currentTarget.value })}
        />
      </Labelled>
      {onRemove && <IconButton icon="trash" label={`Remove ${title.toLowerCase()}`} onClick={onRemove} />}
    </fieldset>
  );
}

function problemOf(steps: readonly ScenarioStep[]): string {
  for (const { faults } of steps) {
    const read = readSequence(faults);
    if (read.kind === "problem") return read.message;
  }
  return "";
}
