import { MARK, marking } from "./exact-number.ts";

const MARKED = new RegExp(`"${MARK}([^"]+)"`, "g");

/** The result of JSON.stringify, in which exact numbers have their own texts. Takes no longer for other values. */
export function stringifyJson(value: unknown, indent?: number): string {
  marking.isOn = true;
  marking.count = 0;
  try {
    const text = indent === undefined ? JSON.stringify(value) : JSON.stringify(value, null, indent);
    return marking.count === 0 ? text : text.replace(MARKED, "$1");
  } finally {
    marking.isOn = false;
  }
}
