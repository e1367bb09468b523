import type { IncomingHttpHeaders } from "node:http";
import { parse as parseContentType } from "content-type";
import { StandinError } from "../../base/errors.ts";

const FORM_TYPE = "application/x-www-form-urlencoded";
export const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** Whether the body, if there is one, says that it is of a kind that can be read here. */
export function hasReadableType(headers: IncomingHttpHeaders): boolean {
  const { type } = typeOf(headers["content-type"]);
  return isJsonType(type) || type === FORM_TYPE;
}

/** Every body is JSON unless it says otherwise. */
function typeOf(header: string | undefined): ReturnType<typeof parseContentType> {
  return parseContentType(header ?? "application/json");
}

function isJsonType(type: string): boolean {
  return type === "application/json" || type.endsWith("+json");
}

export interface BodyReader {
  readonly decoder: TextDecoder;
  readonly isForm: boolean;
}

/** Refuses the type of a body that is JSON already, unless it is a kind of JSON. */
export function expectJsonType(header: string): void {
  if (createReader(header).isForm) throw unreadable(FORM_TYPE);
}

export function createReader(header: string | undefined): BodyReader {
  const { type, parameters } = typeOf(header);
  if (isJsonType(type) || type === FORM_TYPE) {
    return { decoder: decoderFor(parameters.charset ?? "utf-8"), isForm: type === FORM_TYPE };
  }
  throw unreadable(type || String(header));
}

function unreadable(type: string): StandinError {
  return new StandinError(
    "BODY_TYPE_UNSUPPORTED",
    `A body of type "${type}" cannot be read. Send JSON with the header Content-Type: application/json.`,
  );
}

function decoderFor(charset: string): TextDecoder {
  if (/^utf-?8$/i.test(charset)) return UTF_8;
  if (/^utf-?16(le)?$/i.test(charset)) return new TextDecoder("utf-16le", { fatal: true });
  throw new StandinError("BODY_TYPE_UNSUPPORTED", `A body in charset "${charset}" cannot be read. Send it as UTF-8.`);
}
