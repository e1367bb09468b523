import { formatMoment, type Moment, parseMoment } from "../values/moment.ts";
import type { InputProps } from "./input-props.ts";

/** A day of the calendar, `2026-01-31`. */
export function DateInput({ draft, control, isReadOnly, onChange }: InputProps) {
  return (
    <input
      {...control}
      type="date"
      class="mono"
      max="9999-12-31"
      readOnly={isReadOnly}
      value={draft.text}
      onInput={({ currentTarget: { value, validity } }) =>
        onChange({ ...draft, text: value, isIncomplete: validity.badInput })
      }
    />
  );
}

/** A date and time. The text keeps its time zone and its spelling: the clock is that of the text, not of the person. */
export function DateTimeInput({ draft, control, isReadOnly, onChange }: InputProps) {
  const moment = parseMoment(draft.text) ?? draft.spelling;
  const wall = parseMoment(draft.text)?.wall ?? "";
  const zoneId = `${control.id}-zone`;
  return (
    <span class="date-time">
      <input
        {...control}
        aria-describedby={[control["aria-describedby"], zoneId].filter(Boolean).join(" ")}
        type="datetime-local"
        class="mono"
        step={/\.\d*[1-9]/.test(wall) ? 0.001 : 1}
        max="9999-12-31T23:59:59"
        readOnly={isReadOnly}
        value={wall}
        onInput={({ currentTarget: { value, validity } }) => {
          const text = value === "" ? "" : formatMoment(value, moment);
          onChange({ ...draft, text, isIncomplete: validity.badInput, ...(moment && { spelling: moment }) });
        }}
      />
      <span id={zoneId} class="zone" title={draft.text === "" ? undefined : localTime(draft.text)}>
        {zoneWords(moment)}
      </span>
    </span>
  );
}

function zoneWords(moment: Moment | undefined): string {
  const zone = moment?.zone ?? "Z";
  if (zone === "") return "no zone";
  return /^z$/i.test(zone) ? "UTC" : `UTC${zone}`;
}

function localTime(text: string): string {
  return `${new Date(text).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" })} in your time zone`;
}
