/** The values of wildcards, by name. */
export type Captures = ReadonlyMap<string, string>;

/** Values that are made anew for each response, such as the one of `$guid`. */
export interface DynamicValues {
  has(name: string): boolean;
  next(name: string): string;
}

/** Dynamic values that are no texts. */
export const DYNAMIC_NUMBERS = [
  "$randomInt",
  "$timestamp",
  "$randomBoolean",
  "$randomLatitude",
  "$randomLongitude",
] as const;

/** A text in which captured and dynamic values take the place of `{{names}}`. */
export interface BodyTemplate {
  render(captures: Captures): string;
  /** The text with a number in every place: whether it is sound JSON holds for all values. */
  sample(): string;
}

/** The names that stand for values in a response. */
export interface TemplateNames {
  readonly wildcards: readonly string[];
  readonly dynamic?: DynamicValues | undefined;
}

/** How a captured value is written where it stands, so that no value can break out of its place. */
type Writer = (value: string) => string;

const NAME = /\{\{([^{}]+)\}\}/g;
const HTML_ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Undefined for a text that none of the names stands in: the same bytes every time. */
export function compileTemplate(
  text: string,
  { wildcards, dynamic }: TemplateNames,
  type: string,
): BodyTemplate | undefined {
  const known = new Set(wildcards);
  const slots: { before: string; name: string; write: Writer; source: TemplateNames["dynamic"] }[] = [];
  const isJson = isJsonContent(type);
  let end = 0;
  let isInString = false;
  for (const { 0: whole, 1: inner = "", index } of text.matchAll(NAME)) {
    const name = inner.trim();
    const source = dynamic?.has(name) ? dynamic : undefined;
    if (!source && !known.has(name)) continue;
    const before = text.slice(end, index);
    if (isJson) isInString = endsInString(before, isInString);
    const write = isJson ? (isInString ? writeInString : writeScalar) : writerFor(type);
    slots.push({ before, name, source, write });
    end = index + whole.length;
  }
  if (slots.length === 0) return undefined;
  const rest = text.slice(end);
  return {
    render: (captures) => {
      let rendered = "";
      for (const { before, name, source, write } of slots) {
        rendered += before + write(source ? source.next(name) : (captures.get(name) ?? ""));
      }
      return rendered + rest;
    },
    sample: () => slots.map(({ before }) => `${before}0`).join("") + rest,
  };
}

/** `"{{id}}"` alone as a JSON value stands for the value itself, so that a number stays a number. Keys stay texts. */
export function bareValues(json: string, names: readonly string[]): string {
  return json.replace(/"(\{\{([^{}"\\]+)\}\})"(?!\s*:)/g, (whole, bare: string, name: string) =>
    names.includes(name.trim()) ? bare : whole,
  );
}

export function isJsonContent(type: string): boolean {
  return /^[^;]*[/+]json\s*(;|$)/i.test(type);
}

/** Whether the position after this piece of JSON lies within a string. */
function endsInString(piece: string, isInString: boolean): boolean {
  let isInside = isInString;
  for (let at = 0; at < piece.length; at++) {
    if (piece[at] === "\\" && isInside) at++;
    else if (piece[at] === '"') isInside = !isInside;
  }
  return isInside;
}

function writeInString(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** A number, true, false or null as itself, anything else as a text. */
function writeScalar(value: string): string {
  return /^(-?(0|[1-9]\d{0,14})(\.\d{1,15})?|true|false|null)$/.test(value) ? value : JSON.stringify(value);
}

function writerFor(type: string): Writer {
  if (!/html|xml/i.test(type)) return (value) => value;
  return (value) => value.replace(/[&<>"']/g, (character) => HTML_ESCAPES[character] ?? character);
}
