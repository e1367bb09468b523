interface TabsProps<Value extends string> {
  /** Names the group. */
  readonly label: string;
  readonly tabs: readonly (readonly [value: Value, name: string])[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

/** Buttons in a row of which one is pressed. Arrow keys lead from one to the next. */
export function Tabs<Value extends string>({ label, tabs, chosen, onChoose }: TabsProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen
    <div class="tabs" role="group" aria-label={label} onKeyDown={moveAlong}>
      {tabs.map(([value, name]) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {name}
        </button>
      ))}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

function moveAlong(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  if (step === undefined || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll("button")];
  event.preventDefault();
  buttons.at((buttons.indexOf(event.target as HTMLButtonElement) + step) % buttons.length)?.focus();
}
