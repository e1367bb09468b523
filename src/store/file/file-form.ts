/** How a JSON file is laid out: a save keeps the form that the user gave it. */
export interface FileForm {
  /** The indentation of a level; undefined where everything is on one line. */
  readonly indent: string | undefined;
  readonly lineBreak: "\n" | "\r\n";
  readonly mark: "\uFEFF" | "";
}

export const DEFAULT_FORM: FileForm = { indent: "  ", lineBreak: "\n", mark: "" };

/** The form of a text. One without content has none: it gets that of a new file. */
export function formOf(text: string): FileForm {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const [, lineBreak, indent] = /^\s*[[{](\r?\n)([\t ]{1,8})/.exec(text) ?? [];
  if (indent !== undefined) return { indent, lineBreak: lineBreak === "\r\n" ? "\r\n" : "\n", mark };
  const isCompact = /^\s*[[{][^\s\]}]/.test(text) && !text.trimEnd().includes("\n");
  return { ...DEFAULT_FORM, indent: isCompact ? undefined : DEFAULT_FORM.indent, mark };
}

/** Renders a text that has the default form, or that of one line, in another one. */
export function* inForm(render: (isCompact: boolean) => Iterable<string>, form: FileForm): Generator<string> {
  const { indent = "", lineBreak, mark } = form;
  const isAsRendered = form.indent === undefined || (indent === DEFAULT_FORM.indent && lineBreak === "\n");
  if (mark) yield mark;
  for (const piece of render(form.indent === undefined)) {
    // No piece ends within an indentation, and texts in JSON have no line breaks.
    const change = (_: string, { length }: string): string => lineBreak + indent.repeat(length / 2);
    yield isAsRendered ? piece : piece.replace(/\n( *)/g, change);
  }
}
