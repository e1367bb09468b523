/** Writes an opaque cursor that stands for a position. */
export type WriteCursor = (start: number) => string;

const MARK = "c000000";
/** The same where only digits are allowed. */
const DIGITS = "770770";
const USUAL_LENGTH = 16;
const MIN_DIGITS = 14;
/** A UUID goes on behind the mark. */
const OF_UUID = "0-0000-4000-8000-";
const MARKED = new RegExp(`${MARK}(?:${OF_UUID})?([\\da-f]{8,12})$`);
const MARKED_DIGITS = new RegExp(`(?:^|\\D)0*${DIGITS}(\\d{8})$`);

/** The form of the cursors that a parameter takes. */
export function cursorForm({
  pattern,
  format,
}: {
  readonly pattern?: unknown;
  readonly format?: unknown;
}): WriteCursor {
  if (format === "uuid") return (start) => `${MARK}${OF_UUID}${hexadecimal(start, 12)}`;
  const ofPattern = typeof pattern === "string" ? formOf(partsOf(pattern) ?? []) : undefined;
  // Documents may ask for 16 characters.
  return ofPattern ?? ((start) => `c.${start.toString(36).padStart(14, "0")}`);
}

/** Letters or digits of a pattern: how many there may be, and whether hexadecimal digits are among them. */
interface Part {
  readonly text: string | undefined;
  readonly least: number;
  readonly most: number;
  readonly isHex: boolean;
  readonly isDigits: boolean;
}

/** A class such as `\d` or `[a-f0-9]` and how often it stands there, something that may be missing, or a letter. */
const PART = /(\\d|\\w|\.|\[[^\]]*\])([+*?]|\{\d+(?:,\d*)?\})?|\([\w-]+\)\?|\\?([\w:~=/-])(?![+*?{])/y;

/** The parts of a simple pattern: `^cur_[a-f0-9]+$`, `^\d+:(0x)?[a-f0-9]{64}$`; undefined for others. */
function partsOf(pattern: string): readonly Part[] | undefined {
  const source = pattern.replace(/^\^/, "").replace(/\$$/, "");
  const parts: Part[] = [];
  for (let at = 0; at < source.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const [whole, letters, often = "", text] = PART.exec(source) ?? [];
    if (whole === undefined) return undefined;
    if (text !== undefined) parts.push({ text, least: 1, most: 1, isHex: false, isDigits: false });
    if (letters === undefined) continue;
    const [, low = "1", comma, high = ""] = /^\{(\d+)(,?)(\d*)\}$/.exec(often) ?? [];
    const isAny = letters === "\\w" || letters === ".";
    const isDigits = isAny || /0-9|\\d/.test(letters);
    const isOpen = often === "+" || often === "*" || (comma === "," && high === "");
    parts.push({
      text: undefined,
      least: often === "*" || often === "?" ? 0 : Number(low),
      most: isOpen ? Number.POSITIVE_INFINITY : Number(high || low),
      isHex: isAny || (isDigits && /a-[fz]/.test(letters)),
      isDigits,
    });
  }
  return parts;
}

/** Cursors whose last long part has the position, in hexadecimal digits or in others. */
function formOf(parts: readonly Part[]): WriteCursor | undefined {
  const longEnough = ({ isHex, most }: Part, least: number): boolean =>
    most >= least && (isHex || least < USUAL_LENGTH);
  const hex = parts.findLastIndex((part) => part.isHex && longEnough(part, USUAL_LENGTH));
  const digits = parts.findLastIndex((part) => part.isDigits && longEnough(part, MIN_DIGITS));
  const at = hex === -1 ? digits : hex;
  // What stands behind would hide the mark.
  if (at === -1 || at !== parts.length - 1) return undefined;
  const before = parts
    .slice(0, at)
    .map(({ text, least, isDigits }) => text ?? (isDigits ? "0".repeat(least) : undefined));
  if (before.includes(undefined)) return undefined;
  const head = before.join("");
  const { least = 0 } = parts[at] ?? {};
  if (hex === -1) return (start) => head + (DIGITS + String(start).padStart(8, "0")).padStart(least, "0");
  return (start) => head + (MARK + hexadecimal(start, 8)).padStart(Math.max(least, USUAL_LENGTH), "0");
}

function hexadecimal(start: number, digits: number): string {
  return start.toString(16).padStart(digits, "0");
}

/** The position that a cursor stands for; undefined for other texts, such as ids. */
export function positionOfCursor(text: string): number | undefined {
  if (/^c\.[\da-z]{1,14}$/.test(text)) return Number.parseInt(text.slice(2), 36);
  const [, counted] = MARKED_DIGITS.exec(text) ?? [];
  if (counted !== undefined) return Number(counted);
  const [, marked] = MARKED.exec(text) ?? [];
  return marked === undefined ? undefined : Number.parseInt(marked, 16);
}
