import { parse as parseForm } from "node:querystring";
import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import type { Question } from "./question.ts";

const MAX_DEPTH = 200;

/** The body as standin reads it; undefined when there is none, or none that can be read. */
export function bodyOf(asked: Question): Json | undefined {
  if (!asked.body) return undefined;
  if (typeOf(asked) === "application/x-www-form-urlencoded") return { ...parseForm(asked.body) } as Json;
  try {
    return JSON.parse(asked.body) as Json;
  } catch {
    return undefined;
  }
}

/** The records that a body describes; an absent body describes an empty one. */
export function bodiesOf(asked: Question): JsonObject[] {
  const body = bodyOf(asked) ?? {};
  return (Array.isArray(body) ? body : [body]).filter(isJsonObject);
}

/** The media type of the body; empty when the question does not say. */
export function typeOf({ headers }: Question): string {
  return headers?.["Content-Type"]?.split(";")[0]?.toLowerCase() ?? "";
}

/** Why a body cannot be taken, if it cannot: the status and the code. `list`: whether it may be several records. */
export function bodyRefusal(asked: Question, list: boolean): { status: number; code: string } | undefined {
  const type = typeOf(asked);
  if (type === "application/x-www-form-urlencoded") {
    return /^\s*[{[]/.test(asked.body ?? "") ? { status: 400, code: "BODY_MALFORMED" } : undefined;
  }
  if (type !== "" && !/[/+]json$/.test(type)) return { status: 415, code: "BODY_TYPE_UNSUPPORTED" };
  const body = bodyOf(asked);
  if (body === undefined) return { status: 400, code: "BODY_MALFORMED" };
  const code = contentRefusal(body, 1) ?? (isRecordBody(body, list) ? undefined : "BODY_NOT_OBJECT");
  return code === undefined || (asked.method === "DELETE" && code === "BODY_NOT_OBJECT")
    ? undefined
    : { status: 400, code };
}

function isRecordBody(body: Json, list: boolean): boolean {
  return list && Array.isArray(body) ? body.every(isJsonObject) : isJsonObject(body);
}

function contentRefusal(value: Json, depth: number): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > MAX_DEPTH) return "BODY_TOO_DEEP";
  if (Object.hasOwn(value, "__proto__")) return "KEY_FORBIDDEN";
  for (const part of Object.values(value) as Json[]) {
    const code = contentRefusal(part, depth + 1);
    if (code) return code;
  }
  return undefined;
}
