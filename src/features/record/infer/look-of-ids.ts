/** Texts that only ids look like. */
const LOOKS: readonly (readonly [name: string, look: RegExp])[] = [
  ["digits", /^\d+$/],
  ["a UUID", /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i],
  ["a ULID", /^[0-7][\dA-HJKMNP-TV-Z]{25}$/],
  ["a hexadecimal id", /^(?=.*\d)[\da-f]{16,64}$/i],
  ["a prefixed id", /^[A-Za-z][A-Za-z\d]{0,15}[_-](?=[A-Za-z_-]*\d)[A-Za-z\d]{6,}$/],
  ["a date", /^\d{4}-\d\d-\d\d$/],
];

/** What a segment looks like where it looks like an id: "digits"; undefined for a word. */
export function lookOfId(text: string): string | undefined {
  return LOOKS.find(([, look]) => look.test(text))?.[0];
}
