const COLOUR = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;

export function isColour(text: string): boolean {
  return COLOUR.test(text);
}

/** With six digits, as a colour control wants it; black for a text that is no colour yet. */
export function sixDigits(text: string): string {
  if (!isColour(text)) return "#000000";
  return text.length === 7
    ? text.toLowerCase()
    : `#${[...text.slice(1)].map((digit) => digit + digit).join("")}`.toLowerCase();
}
