/** An opaque cursor that stands for a position. Documents may ask for 16 characters. */
export function writeCursor(start: number): string {
  return `c.${start.toString(36).padStart(14, "0")}`;
}

/** The position that a cursor stands for; undefined for other texts, such as ids. */
export function positionOfCursor(text: string): number | undefined {
  return /^c\.[\da-z]{1,14}$/.test(text) ? Number.parseInt(text.slice(2), 36) : undefined;
}
