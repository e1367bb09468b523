import type { Json } from "../api/json.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { listIn } from "./reading.ts";
import type { Parameter } from "./reference.ts";
import { typesOf } from "./schema-facts.ts";
import { isListed } from "./trial.ts";

interface ParameterInputProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Absent if the parameter is required. */
  readonly onRemove: (() => void) | undefined;
}

export function ParameterInput({ parameter, value, onInput, onRemove }: ParameterInputProps) {
  const { name } = parameter;
  return (
    <div class="trial-parameter">
      <Labelled label={name}>
        <Control parameter={parameter} value={value} onInput={onInput} />
      </Labelled>
      {onRemove && <IconButton label={`Leave out ${name}`} icon="close" onClick={onRemove} />}
    </div>
  );
}

interface ControlProps {
  readonly id?: string;
  readonly parameter: Parameter;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function Control({ id, parameter, value, onInput }: ControlProps) {
  const { schema, name, place } = parameter;
  const choices = choicesOf(parameter);
  const data = { id, "data-parameter": `${place} ${name}`, class: "mono", spellcheck: false, value };
  if (choices.length > 0) {
    return (
      <select {...data} onChange={(event) => onInput(event.currentTarget.value)}>
        {!choices.includes(value) && <option value={value}>{value === "" ? "Choose…" : value}</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  if (isListed(parameter)) {
    return (
      <textarea
        {...data}
        rows={2}
        placeholder="One value to a line"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    );
  }
  const types = typesOf(schema);
  return (
    <input
      {...data}
      inputMode={types.length === 1 && (types[0] === "integer" || types[0] === "number") ? "decimal" : "text"}
      placeholder={placeholderOf(types)}
      autocomplete="off"
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

function choicesOf({ schema, style }: Parameter): string[] {
  if (style === "content") return [];
  const types = typesOf(schema);
  if (types.includes("array") || types.includes("object")) return [];
  const values: readonly Json[] = listIn(schema.enum);
  if (values.length > 0) return values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return types.length === 1 && types[0] === "boolean" ? ["true", "false"] : [];
}

function placeholderOf(types: readonly string[]): string {
  if (types.includes("object")) return "name=value&name=value";
  return types.includes("array") ? "a,b,c" : (types[0] ?? "");
}
