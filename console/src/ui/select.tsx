import type { JSX } from "preact";

interface SelectProps<Value extends string> extends Omit<JSX.SelectHTMLAttributes, "value" | "onChange"> {
  readonly value: Value | undefined;
  /** Each a value, or a value and its name. */
  readonly options: readonly (Value | readonly [value: Value, name: string])[];
  readonly onChoose: (value: Value) => void;
}

/** One of several values to choose. */
export function Select<Value extends string>({ options, onChoose, ...others }: SelectProps<Value>) {
  return (
    <select {...others} onChange={(event) => onChoose(event.currentTarget.value as Value)}>
      {options.map((option) => {
        const [value, name] = typeof option === "string" ? [option, option] : option;
        return (
          <option key={value} value={value}>
            {name}
          </option>
        );
      })}
    </select>
  );
}
