import { isJsonObject, type Json } from "../../base/json/json.ts";

export function isEventType(type: string): boolean {
  return /^text\/event-stream\b/i.test(type);
}

/** A value as events: one for each element of a list. A text that is written as events stays as it is. */
export function eventsOf(value: Json): string {
  if (typeof value === "string" && /^(data|event|id|retry|):/m.test(value)) return value.replace(/(?<!\n)\n*$/, "\n\n");
  return (Array.isArray(value) ? value : [value]).map(eventOf).join("");
}

/** An object of `event` and `data` describes the event itself; any other value is its data. */
function eventOf(value: Json): string {
  const { event, data } = isJsonObject(value) ? value : {};
  if (typeof event === "string" && data !== undefined) return `event: ${event}\n${dataOf(data)}`;
  return dataOf(value);
}

function dataOf(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `${text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join("")}\n`;
}
