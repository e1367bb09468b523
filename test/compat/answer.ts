import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";

/** The parts that must be equal on both servers. Two responses are equal if their JSON texts are, so the order of keys counts. */
export interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  /** The function of a JSONP answer. */
  readonly callback: string | undefined;
  readonly json: Json | undefined;
  /** A body that is no JSON. */
  readonly text: string | undefined;
  readonly total: string | undefined;
  readonly link: string | undefined;
  readonly location: string | undefined;
  /** The whole database after a write; undefined for reads. */
  readonly db?: JsonObject | undefined;
}

const JSONP = /^\/\*\*\/ typeof (.*) === 'function' && \1\(([\s\S]*)\);$/;

/** Reads the body of an answer as JSON, JSONP or text. */
export function contentOf(body: string): Pick<Answer, "callback" | "json" | "text"> {
  const [, callback, argument] = JSONP.exec(body) ?? [];
  if (body === "") return { callback: undefined, json: undefined, text: undefined };
  try {
    return { callback, json: JSON.parse(argument ?? body) as Json, text: undefined };
  } catch {
    return { callback: undefined, json: undefined, text: body };
  }
}

/** An error in standin's form, down to its code: titles and messages are free, the three fields are not. */
export function reduceError(answer: Answer): Answer {
  if (answer.status < 400 || !isJsonObject(answer.json)) return answer;
  const { error, message, code, ...rest } = answer.json;
  const isComplete = [error, message, code].every((text) => typeof text === "string" && text !== "");
  return isComplete && Object.keys(rest).length === 0 ? { ...answer, json: { code: code! } } : answer;
}

export function isSame(one: Answer, other: Answer): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ status, type, callback, json, text, total, link, location, db }: Answer): string {
  return JSON.stringify([status, type, callback, json, text, total, link, location, db]);
}
