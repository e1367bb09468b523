interface TabsProps<Value extends string> {
  /** Names the group. */
  readonly label: string;
  readonly tabs: readonly (readonly [value: Value, name: string])[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

/** Buttons in a row of which one is pressed. */
export function Tabs<Value extends string>({ label, tabs, chosen, onChoose }: TabsProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen
    <div class="tabs" role="group" aria-label={label}>
      {tabs.map(([value, name]) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {name}
        </button>
      ))}
    </div>
  );
}
