import { type JsonPlace, placeAt } from "./json-place.ts";
import type { BodyField } from "./known-requests.ts";

/** Texts to choose from, and the part of the body that the chosen one replaces. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly label: string;
  readonly text: string;
  /** Whether there are values to choose from behind it. */
  readonly leadsOn: boolean;
}

/** More would hide the text. */
const MOST_CHOICES = 8;

/** The names or values that fit at the caret; before anything is typed, only on request. */
export function completionAt(
  text: string,
  caret: number,
  fields: readonly BodyField[],
  isRequested: boolean,
): Completion | undefined {
  const place = placeAt(text, caret);
  if (!place || (place.from === caret && !isRequested)) return undefined;
  const { from, to, typed } = place;
  const wanted = typed.toLowerCase();
  const fitting = choicesAt(place, fields, /^\s*:/.test(text.slice(to)))
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .sort((a, b) => Number(startsWith(b, wanted)) - Number(startsWith(a, wanted)));
  const isComplete = fitting.length === 1 && fitting[0]?.text === text.slice(from, to);
  return fitting.length === 0 || isComplete ? undefined : { from, to, choices: fitting.slice(0, MOST_CHOICES) };
}

function startsWith({ label }: Choice, wanted: string): boolean {
  return label.toLowerCase().startsWith(wanted);
}

function choicesAt({ kind, path, taken }: JsonPlace, fields: readonly BodyField[], hasColon: boolean): Choice[] {
  if (kind === "key") {
    return (fieldsAt(fields, path) ?? [])
      .filter(({ name }) => !taken.has(name))
      .map(({ name, values }) => {
        const key = JSON.stringify(name);
        return { label: name, text: hasColon ? key : `${key}: `, leadsOn: !hasColon && values.length > 0 };
      });
  }
  const field = fieldsAt(fields, path.slice(0, -1))?.find(({ name }) => name === path.at(-1));
  return (field?.values ?? []).map((value) => {
    const label = typeof value === "string" ? value : JSON.stringify(value);
    return { label, text: JSON.stringify(value), leadsOn: false };
  });
}

function fieldsAt(fields: readonly BodyField[], path: readonly string[]): readonly BodyField[] | undefined {
  let found: readonly BodyField[] | undefined = fields;
  for (const key of path) found = found?.find(({ name }) => name === key)?.parts();
  return found;
}
