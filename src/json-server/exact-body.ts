import type { IncomingMessage } from "node:http";
import { keepDigits, mayNeedDigits, parseJson } from "../base/json/json.ts";

/** The texts of bodies with numbers that no double can hold, which Express's parser has made doubles. */
const texts = new WeakMap<IncomingMessage, string>();

/** Keeps the text of a body that may need it, for `verify` of Express's parser. */
export function keepText(req: IncomingMessage, _res: unknown, bytes: Buffer): void {
  const text = bytes.toString();
  if (mayNeedDigits(text)) texts.set(req, text);
}

/** Puts the numbers as they were sent in place of their doubles in `req.body`, wherever handlers have left those. */
export function restoreExact(req: IncomingMessage & { body?: unknown }): void {
  const text = texts.get(req);
  if (text !== undefined) req.body = keepDigits(req.body, parseJson(text));
}
