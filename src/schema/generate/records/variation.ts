import type { Json } from "../../../base/json/json.ts";

/** Another value like this one: with a number where people would put it. */
export function variation(value: Json, number: number): Json {
  if (typeof value === "number") return value + number;
  if (typeof value !== "string") return value;
  if (/^[^\s@]+@[^\s@]+$/.test(value)) return value.replace("@", `${number}@`);
  if (/^\S+:\/\//.test(value) || /^[\w-]+$/.test(value)) return `${value}-${number}`;
  return `${value} ${number}`;
}
