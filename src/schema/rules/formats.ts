import { isIPv4, isIPv6 } from "../../base/addresses.ts";

/*
 * Expressions here take linear time: no text matches in two ways, and where alternatives begin alike, there are few of them.
 */

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** RFC 3339 full-date. */
function isDate(text: string): boolean {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!found) return false;
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day > 0 && day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0));
}

/** RFC 3339 full-time. */
function isTime(text: string): boolean {
  const found = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i.exec(text);
  if (!found) return false;
  const [, hour, minute, second, sign, hours = 0, minutes = 0] = found;
  if (second !== "60") return true;
  // A leap second is the last one of a day in UTC.
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return (Number(hour) * 60 + Number(minute) - offset + 1440) % 1440 === 1439;
}

/** RFC 3339 date-time. */
function isDateTime(text: string): boolean {
  return /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

/** RFC 3339 appendix A: `P1W`, or years to days, and hours to seconds after a `T`. After years come months, not days. */
const DAYS_LONG = "(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)";
const HOURS_LONG = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
const DURATION = new RegExp(`^P(?:\\d+W|${DAYS_LONG}(?:${HOURS_LONG})?|${HOURS_LONG})$`);

/** Letters beyond ASCII; no controls and spaces. */
const WIDE = "\\xa1-\\u167f\\u1681-\\u1fff\\u2010-\\u2027\\u2030-\\u2fff\\u3001-\\uffff";

/** Tests of host names (RFC 1123) and email addresses (RFC 5321), in ASCII or with the letters of `wide` as well. */
function hostTests(wide: string) {
  const label = new RegExp(`^(?!-)[a-z\\d${wide}-]{1,63}(?<!-)$`, "i");
  const atom = `[a-z\\d!#$%&'*+/=?^_\`{|}~${wide}-]+`;
  const quoted = `"(?:[ !#-[\\]-~${wide === "" ? "" : "\\x80-\\uffff"}]|\\\\[^])+"`;
  const local = new RegExp(`^(?:${atom}(?:\\.${atom})*|${quoted})$`, "i");
  const isHostname = (text: string): boolean => text.length <= 253 && text.split(".").every((part) => label.test(part));
  return {
    isHostname,
    isEmail(text: string): boolean {
      const at = text.lastIndexOf("@");
      const host = text.slice(at + 1);
      const address = /^\[(.*)\]$/.exec(host)?.[1];
      const isHost = address === undefined ? isHostname(host) : isIPv4(address) || isIpv6Literal(address);
      return at > 0 && at <= 64 && isHost && local.test(text.slice(0, at));
    },
  };
}

function isIpv6Literal(address: string): boolean {
  return address.startsWith("IPv6:") && isIpv6(address.slice(5));
}

const { isHostname, isEmail } = hostTests("");
const { isHostname: isIdnHostname, isEmail: isIdnEmail } = hostTests(WIDE);

/** Without a zone. */
function isIpv6(text: string): boolean {
  return isIPv6(text) && !text.includes("%");
}

const NAME = "\\w.~!$&'()*+,;=\\-";

/** Tests of URIs (RFC 3986), or of IRIs (RFC 3987) with the letters of `wide`. */
function uriTests(wide: string) {
  const some = (set: string): string => `[${set}${wide}]*(?:%[\\da-f]{2}[${set}${wide}]*)*`;
  const authority = `//(?:${some(`:${NAME}`)}@)?(?:\\[([^\\]]*)\\]|${some(NAME)})(?::\\d*)?(?=[/?#]|$)`;
  const query = some(`:@/?${NAME}`);
  const rest = `(?:${authority}|(?!//))${some(`:@/${NAME}`)}(?:\\?${query})?(?:#${query})?$`;
  const scheme = "[a-z][a-z\\d+.-]*:";
  const isMatch = (pattern: RegExp) => (text: string) => {
    const found = pattern.exec(text);
    return found !== null && (found[1] === undefined || isIpv6(found[1]) || LATER_ADDRESS.test(found[1]));
  };
  return {
    isUri: isMatch(new RegExp(`^${scheme}${rest}`, "i")),
    // A colon in the first segment would end a scheme.
    isReference: isMatch(new RegExp(`^(?:${scheme}|(?![^/?#]*:))${rest}`, "i")),
  };
}

const LATER_ADDRESS = new RegExp(`^v[\\da-f]+\\.[:${NAME}]+$`, "i");

const { isUri, isReference: isUriReference } = uriTests("");
const { isUri: isIri, isReference: isIriReference } = uriTests("\\xa0-\\uffff");

export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** RFC 6570. */
const VARIABLE = "(?!\\.)[\\w.%]+(?<!\\.)(?::[1-9]\\d{0,3}|\\*)?";
const URI_TEMPLATE = new RegExp(
  `^(?:[!#$&(-;=?-[\\]_a-z~\\x80-\\uffff]|%[\\da-f]{2}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*$`,
  "i",
);

/** RFC 6901. */
function isJsonPointer(text: string): boolean {
  return (text === "" || text.startsWith("/")) && !/~(?![01])/.test(text);
}

/** A number of levels to go up, then `#` or a JSON pointer. */
function isRelativeJsonPointer(text: string): boolean {
  return /^(?:0|[1-9]\d*)(?:#?$|\/)/.test(text) && !/~(?![01])/.test(text);
}

interface Format {
  /** Linear in the length of the text. */
  readonly test: (text: string) => boolean;
  /** Follows "must be". */
  readonly words: string;
}

/** The formats of JSON Schema 2020-12. */
export const FORMATS: ReadonlyMap<string, Format> = new Map(
  Object.entries<Format>({
    "date-time": { test: isDateTime, words: "a date and time with a time zone, such as 2026-01-31T12:00:00Z" },
    date: { test: isDate, words: "a date, such as 2026-01-31" },
    time: { test: isTime, words: "a time with a time zone, such as 12:00:00Z" },
    duration: { test: (text) => DURATION.test(text), words: "a duration, such as P3DT12H" },
    email: { test: isEmail, words: "an email address" },
    "idn-email": { test: isIdnEmail, words: "an email address" },
    hostname: { test: isHostname, words: "a host name, such as www.example.com" },
    "idn-hostname": { test: isIdnHostname, words: "a host name" },
    ipv4: { test: isIPv4, words: "an IPv4 address, such as 192.0.2.1" },
    ipv6: { test: isIpv6, words: "an IPv6 address, such as 2001:db8::1" },
    uri: { test: isUri, words: "a URI, such as https://example.com/a" },
    "uri-reference": { test: isUriReference, words: "a URI or a relative reference, such as /a/b" },
    iri: { test: isIri, words: "an IRI, such as https://example.com/ä" },
    "iri-reference": { test: isIriReference, words: "an IRI or a relative reference" },
    "uri-template": { test: (text) => URI_TEMPLATE.test(text), words: "a URI template, such as /a/{id}" },
    uuid: { test: (text) => UUID.test(text), words: "a UUID" },
    "json-pointer": { test: isJsonPointer, words: "a JSON pointer, such as /a/0" },
    "relative-json-pointer": { test: isRelativeJsonPointer, words: "a relative JSON pointer, such as 1/a" },
    regex: { test: isRegex, words: "a regular expression" },
  }),
);

export const FORMAT_NAMES: readonly string[] = [...FORMATS.keys()];

/** Any pattern that JavaScript accepts; those that only the linear-time engine refuses are regular expressions, too. */
function isRegex(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
