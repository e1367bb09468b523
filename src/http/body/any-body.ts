import type { Json } from "../../base/json/json.ts";
import type { Call } from "../call.ts";
import { hasReadableType } from "./body-type.ts";

/** Reads a body of any type, and leaves it for others: JSON as a value, a form as an object of texts, else as a text. */
export async function readAnyBody(call: Call): Promise<Json | undefined> {
  if (!call.hasBody) return undefined;
  await call.keepBody();
  return hasReadableType(call.headers) ? call.body() : call.bodyText();
}
