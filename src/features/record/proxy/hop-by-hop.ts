import { type HeaderField, headerIn } from "../../../http/exchange.ts";

/** Headers that concern one connection only (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** The fields of a message that may be passed on. */
export function endToEnd(fields: readonly HeaderField[]): HeaderField[] {
  const named =
    headerIn(fields, "connection")
      ?.toLowerCase()
      .split(/\s*,\s*/) ?? [];
  const dropped = new Set([...HOP_BY_HOP, ...named]);
  return fields.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/** Names and values in turn as fields. */
export function fieldsIn(raw: readonly string[]): HeaderField[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""] as const] : []));
}
