import { StandinError } from "../../base/errors.ts";
import type { Call } from "../call.ts";
import type { DataService } from "../contract.ts";
import { warnOfRequest } from "./mistakes.ts";

/** A range of media types that JSON is in, or a kind of JSON. */
const JSON_RANGE = /^\s*$|\*\/\*|application\/\*|json/i;

/** A client that accepts no JSON gets JSON all the same, as in 0.17, and is told so. */
export function expectAcceptable(call: Call, service: DataService): void {
  const { accept } = call.headers;
  if (accept === undefined || JSON_RANGE.test(accept) || call.callback !== undefined) return;
  const line = `Accept: ${accept}: responses are JSON.`;
  if (call.isStrict) throw new StandinError("NOT_ACCEPTABLE", line);
  warnOfRequest(call, service, line);
}
