import { type Exchange, type HeaderField, headerIn, mediaTypeOf } from "../../../http/exchange.ts";
import { redactBody } from "./redact-body.ts";
import type { Redactor } from "./redactor.ts";

const ADDRESSES = /^(?:location|content-location|referer|link|refresh)$/;
/** Names of CORS headers contain words such as `credentials`, but their values no secrets. */
const OPEN_HEADER = /^(?:access-control-|www-authenticate$|idempotency-key$)/;

/** Replaces the secrets in an exchange, before anything of it is kept. */
export function redactExchange(exchange: Exchange, redactor: Redactor): Exchange {
  const { url, requestHeaders, requestBody, responseHeaders, responseBody, mediaType } = exchange;
  // Headers first: their secrets are known then, wherever else they stand.
  const headers = {
    requestHeaders: redactHeaders(requestHeaders, redactor),
    responseHeaders: redactHeaders(responseHeaders, redactor),
  };
  const requestType = mediaTypeOf(headerIn(requestHeaders, "content-type"));
  const redact = (text: string | undefined, type: string): string | undefined =>
    text === undefined ? undefined : redactBody({ text, mediaType: type, url }, redactor);
  const bodies = redactor.withKeysOf(url, () => ({
    requestBody: redact(requestBody, requestType),
    responseBody: redact(responseBody, mediaType),
  }));
  return {
    ...exchange,
    ...headers,
    ...bodies,
    responseHeaders: headers.responseHeaders.map((field) => locationWithKeys(field, redactor)),
    url: redactor.address(withKeys(url, redactor)),
  };
}

/** `Location` names a new record by the same key as its path. */
function locationWithKeys([name, value]: HeaderField, redactor: Redactor): HeaderField {
  if (!/^(?:content-)?location$/i.test(name)) return [name, value];
  const [, origin = "", path = ""] = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?(.*)$/is.exec(value) ?? [];
  return [name, `${origin}${withKeys(path, redactor)}`];
}

function withKeys(url: string, redactor: Redactor): string {
  const [path = "", rest = ""] = url.split(/(?=[?#])(.*)/s);
  return `${redactor.path(path)}${rest}`;
}

/** Replaces secrets that became known after the exchange was kept. */
export function redactKnown(exchange: Exchange, redactor: Redactor): Exchange {
  const redact = <T extends string | undefined>(text: T): T | string =>
    text === undefined ? text : redactor.known(text);
  const fields = (list: readonly HeaderField[]): HeaderField[] => list.map(([name, value]) => [name, redact(value)]);
  return {
    ...exchange,
    url: redact(withKeys(exchange.url, redactor)),
    requestHeaders: fields(exchange.requestHeaders),
    requestBody: redact(exchange.requestBody),
    responseHeaders: fields(exchange.responseHeaders).map((field) => locationWithKeys(field, redactor)),
    responseBody: redact(exchange.responseBody),
  };
}

function redactHeaders(fields: readonly HeaderField[], redactor: Redactor): HeaderField[] {
  return fields.map(([name, value]) => [name, redactHeader(name.toLowerCase(), value, redactor)]);
}

function redactHeader(name: string, value: string, redactor: Redactor): string {
  if (OPEN_HEADER.test(name)) return value;
  if (name === "cookie") return value.replace(/(?<==)[^;]+/g, (secret) => redactor.take(secret, "cookie"));
  if (name === "set-cookie")
    return value.replace(/(?<=^[^=;]*=)[^;]+/, (secret) => redactor.take(secret, "set-cookie"));
  if (ADDRESSES.test(name)) return redactor.address(value);
  if (!redactor.isSecret(name)) return redactor.text(value);
  const [, scheme = "", secret = value] = /^([A-Za-z][\w-]*[ \t]+)(.*)$/s.exec(value) ?? [];
  if (/^basic\b/i.test(scheme)) learnBasic(secret, redactor);
  return `${scheme}${redactor.take(secret, name)}`;
}

/** The password of `Authorization: Basic` may stand elsewhere, too. */
function learnBasic(encoded: string, redactor: Redactor): void {
  const plain = Buffer.from(encoded, "base64").toString();
  const colon = plain.indexOf(":");
  if (colon !== -1) redactor.take(plain.slice(colon + 1), "authorization");
}
