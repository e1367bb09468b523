import { isIPv4 } from "../../base/addresses.ts";
import {
  DURATION,
  isDate,
  isDateTime,
  isEmail,
  isHostname,
  isIdnEmail,
  isIdnHostname,
  isIpv6,
  isIri,
  isIriReference,
  isJsonPointer,
  isRelativeJsonPointer,
  isTime,
  isUri,
  isUriReference,
  URI_TEMPLATE,
  UUID,
} from "./format-tests.ts";

export interface Format {
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
