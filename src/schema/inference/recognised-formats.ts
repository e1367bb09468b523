import { FORMATS } from "../rules/formats.ts";

/** The formats that are recognised in data. */
export const RECOGNISED = ["date-time", "date", "email", "uuid", "uri"] as const;
export type Recognised = (typeof RECOGNISED)[number];

/** Longer texts have none of these formats. */
const MAX_LENGTH = 2000;
/** Forms that people mean by these names: "note:call-back" is a URI as well, and "a@b" an address. */
const USUAL: Readonly<Partial<Record<Recognised, RegExp>>> = {
  uri: /^[a-z][a-z\d+.-]*:\/\/./i,
  email: /@[^@.]+\.[^@]+$/,
};

export function isRecognised(text: string, format: Recognised): boolean {
  if (text.length > MAX_LENGTH) return false;
  return (USUAL[format]?.test(text) ?? true) && FORMATS[format]!.test(text);
}
