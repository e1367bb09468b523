import type { IncomingMessage } from "node:http";
import type { Json } from "../../base/json/json.ts";
import { hasReadableType, keepBody, readBody, readBodyText } from "./body.ts";

/** Reads a body of any type, and leaves it for others: JSON as a value, a form as an object of texts, else as a text. */
export async function readAnyBody(req: IncomingMessage, maxBytes: number): Promise<Json | undefined> {
  const { "content-length": length, "transfer-encoding": transfer } = req.headers;
  if ((length === undefined || length === "0") && transfer === undefined) return undefined;
  await keepBody(req, maxBytes);
  return hasReadableType(req) ? readBody(req, maxBytes) : readBodyText(req, maxBytes);
}
