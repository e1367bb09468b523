/** Writes an opaque cursor that stands for a position. */
export type WriteCursor = (start: number) => string;

/** A pattern that hexadecimal digits meet behind its first letters: `^cur_[a-f0-9]+$`, `^pl_.+$`, `^[0-9a-f]{24}$` */
const HEXADECIMAL = /^\^?([\w-]*)(\[[^\]]*\]|\\w|\.)(?:[+*]|\{(\d+)(,?)(\d*)\})\$?$/;
const MARK = "c000000";
const USUAL_LENGTH = 16;
/** A UUID goes on behind the mark. */
const OF_UUID = "0-0000-4000-8000-";
const MARKED = new RegExp(`${MARK}(?:${OF_UUID})?([\\da-f]{8,12})$`);

/** The form of the cursors that a parameter takes. */
export function cursorForm({
  pattern,
  format,
}: {
  readonly pattern?: unknown;
  readonly format?: unknown;
}): WriteCursor {
  if (format === "uuid") return (start) => `${MARK}${OF_UUID}${hexadecimal(start, 12)}`;
  const [, head, digits = "", least = "0", comma = ",", most = ""] =
    (typeof pattern === "string" && HEXADECIMAL.exec(pattern)) || [];
  const takesDigits = digits === "\\w" || digits === "." || (/a-[fz]/.test(digits) && /0-9|\\d/.test(digits));
  const length = comma === "" ? Number(least) : Math.max(Number(least), USUAL_LENGTH);
  if (head === undefined || !takesDigits || length < USUAL_LENGTH || length > Number(most || length)) {
    // Documents may ask for 16 characters.
    return (start) => `c.${start.toString(36).padStart(14, "0")}`;
  }
  return (start) => `${head}${(MARK + hexadecimal(start, 8)).padStart(length, "0")}`;
}

function hexadecimal(start: number, digits: number): string {
  return start.toString(16).padStart(digits, "0");
}

/** The position that a cursor stands for; undefined for other texts, such as ids. */
export function positionOfCursor(text: string): number | undefined {
  if (/^c\.[\da-z]{1,14}$/.test(text)) return Number.parseInt(text.slice(2), 36);
  const [, marked] = MARKED.exec(text) ?? [];
  return marked === undefined ? undefined : Number.parseInt(marked, 16);
}
