import { type JsonObject, stringifyJson } from "../../base/json/json.ts";
import type { ToolCall } from "./scope.ts";

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The JSON Schema of each argument, by name. */
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
  readonly annotations?: JsonObject;
  /** Resolves to the text of the result. Throws a `ToolFailure` or a `StandinError`. */
  run(call: ToolCall): Promise<string>;
}

/** The most records that a result shows. */
export const MAX_RECORDS = 50;
/** The most bytes of a result, roughly: names and notes come on top. */
export const MAX_BYTES = 20_000;

/** How many of the texts fit into a result, from the first one on. */
export function fitting(texts: readonly string[], maxBytes = MAX_BYTES): number {
  let bytes = 0;
  let count = 0;
  for (const text of texts) {
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxBytes || count === MAX_RECORDS) break;
    count++;
  }
  return count;
}

/** The beginning of a text that fits into a result, in whole lines. */
export function firstLines(text: string, rest: string): string {
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  const cut = Buffer.from(text).subarray(0, MAX_BYTES).toString();
  const end = cut.lastIndexOf("\n");
  return `${end === -1 ? cut : cut.slice(0, end)}\n\n${rest}`;
}

/** A JSON object from facts and members that are JSON text already. */
export function objectText(facts: object, members: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(members).flatMap(([name, text]) =>
    text === undefined ? [] : [`${JSON.stringify(name)}:${text}`],
  );
  const head = stringifyJson(facts).slice(1, -1);
  return `{${[head, ...parts].filter((part) => part !== "").join(",")}}`;
}
