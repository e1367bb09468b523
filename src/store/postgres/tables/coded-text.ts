import { type Json, type JsonObject, mayNeedDigits } from "../../../base/json/json.ts";

/**
 * Text as the database stores it for queries. PostgreSQL accepts neither U+0000 nor lone surrogates, and orders by code
 * point where JavaScript orders by UTF-16 code unit. So every unit from U+D800 on becomes one character above U+10000, and
 * the two lowest become pairs: coded texts have JavaScript's order, and no text is lost. Nearly every text is its own code.
 */
const ODD_UNIT = unitPattern("\0\u0001\ud800-\uffff");
const FIRST_CODED_UNIT = 0xd800;
const CODE_OFFSET = 0x10000;

export function encodeText(text: string): string {
  if (!ODD_UNIT.test(text)) return text;
  let coded = "";
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= FIRST_CODED_UNIT) coded += String.fromCodePoint(CODE_OFFSET + unit);
    else coded += unit > 1 ? text[at] : unit === 0 ? "\u0001\u0001" : "\u0001\u0002";
  }
  return coded;
}

/** The JSON text of a value for the column that queries read: `body`, unless it contains units that must be coded. */
export function encodeBody(value: Json, body: string): string {
  // Units that cannot appear in a JSON text are escaped there.
  const isItsOwnCode = !body.includes("\\u") && !ODD_UNIT.test(body);
  return isItsOwnCode && !mayNeedDigits(body) ? body : JSON.stringify(encodeValue(value));
}

/** The database has no infinite numbers. */
export function nearestFinite(number: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, number));
}

function encodeValue(value: Json): Json {
  if (typeof value === "string") return encodeText(value);
  if (typeof value === "number") return nearestFinite(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(encodeValue);
  const coded: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    Object.defineProperty(coded, encodeText(key), { value: encodeValue(inner), enumerable: true });
  }
  return coded;
}

const NEVER_SEARCHED = unitPattern("\0\ud800-\uffff", "g");
const SEPARATOR = String.fromCodePoint(CODE_OFFSET + 1);

/** Joins texts for the search column: one character per unit, and a separator that no search contains. */
export function encodeSearched(texts: readonly string[]): string {
  return texts.map(encodeSearch).join(SEPARATOR);
}

export function encodeSearch(text: string): string {
  if (!ODD_UNIT.test(text)) return text;
  return text.replace(NEVER_SEARCHED, (unit) => String.fromCodePoint(CODE_OFFSET + unit.charCodeAt(0)));
}

const LOW = "\u0001";
const CODE = new RegExp(`${LOW}[${LOW}\u0002]|[\u{1d800}-\u{1ffff}]`, "gu");

/** The inverse of `encodeText`. */
export function decodeText(coded: string): string {
  return coded.replace(CODE, (code) =>
    String.fromCharCode(code[0] === LOW ? code.charCodeAt(1) - 1 : code.codePointAt(0)! - CODE_OFFSET),
  );
}

/** Matches any one of these units; without the `u` flag, surrogates match themselves. */
function unitPattern(units: string, flags = ""): RegExp {
  return new RegExp(`[${units}]`, flags);
}
