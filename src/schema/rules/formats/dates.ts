import { countDigits, isDigit } from "./characters.ts";

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DATE_LENGTH = 10;

/** RFC 3339 full-date. */
export function isDate(text: string): boolean {
  return text.length === DATE_LENGTH && startsWithDate(text);
}

/** RFC 3339 full-time. */
export function isTime(text: string): boolean {
  return isTimeFrom(text, 0);
}

/** RFC 3339 date-time. */
export function isDateTime(text: string): boolean {
  const separator = text.charCodeAt(DATE_LENGTH) | 0x20;
  return separator === 0x74 && startsWithDate(text) && isTimeFrom(text, DATE_LENGTH + 1);
}

function startsWithDate(text: string): boolean {
  if (text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d) return false;
  const [year, month, day] = [numberAt(text, 0, 4), numberAt(text, 5, 2), numberAt(text, 8, 2)];
  if (year < 0 || month < 1 || month > 12 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 && isLeap ? 29 : DAYS[month - 1]!);
}

function isTimeFrom(text: string, start: number): boolean {
  if (text.charCodeAt(start + 2) !== 0x3a || text.charCodeAt(start + 5) !== 0x3a) return false;
  const [hour, minute, second] = [numberAt(text, start, 2), numberAt(text, start + 3, 2), numberAt(text, start + 6, 2)];
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
  let at = start + 8;
  if (text.charCodeAt(at) === 0x2e) {
    const digits = countDigits(text, at + 1);
    if (digits === 0) return false;
    at += 1 + digits;
  }
  const offset = offsetMinutes(text, at);
  if (offset === undefined) return false;
  // A leap second is the last one of a day in UTC.
  return second < 60 || (((hour * 60 + minute - offset) % 1440) + 1440) % 1440 === 1439;
}

/** The offset from UTC at the end of a text; undefined if there is none. */
function offsetMinutes(text: string, at: number): number | undefined {
  const sign = text.charCodeAt(at);
  if ((sign | 0x20) === 0x7a) return at + 1 === text.length ? 0 : undefined;
  if ((sign !== 0x2b && sign !== 0x2d) || text.length !== at + 6 || text.charCodeAt(at + 3) !== 0x3a) return undefined;
  const [hours, minutes] = [numberAt(text, at + 1, 2), numberAt(text, at + 4, 2)];
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return undefined;
  return (sign === 0x2d ? -1 : 1) * (hours * 60 + minutes);
}

/** A number of exactly these many digits; negative if it is none. */
function numberAt(text: string, from: number, length: number): number {
  let value = 0;
  for (let at = from; at < from + length; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) return -1;
    value = value * 10 + (code - 0x30);
  }
  return value;
}

/** RFC 3339 appendix A: `P1W`, or years to days, and hours to seconds after a `T`. */
export function isDuration(text: string): boolean {
  if (text[0] !== "P" || text.length < 3) return false;
  let units = "YMD";
  let next = 0;
  let hasTime = false;
  for (let at = 1; at < text.length; ) {
    if (text[at] === "T" && !hasTime) {
      hasTime = true;
      units = "HMS";
      next = 0;
      at++;
      if (at === text.length) return false;
    }
    const digits = countDigits(text, at);
    at += digits;
    if (digits === 0 || at === text.length) return false;
    const unit = text[at++]!;
    if (unit === "W") return !hasTime && next === 0 && at === text.length && digits === text.length - 2;
    // The units are a chain: after years come months, not days.
    const place = units.indexOf(unit);
    if (place === -1 || (next > 0 && place !== next)) return false;
    next = place + 1;
  }
  return true;
}
