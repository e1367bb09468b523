import { isJsonObject, type Json } from "../../../api/json.ts";

const WIDEST = 100;

/** A value as a JavaScript expression: in one line if it fits, else with a line for each member. */
export function literal(value: Json, indent: string): string {
  const line = inOneLine(value);
  if (!isJsonObject(value) || indent.length + line.length <= WIDEST) return line;
  const members = Object.entries(value).map(([key, one]) => `${indent}  ${name(key)}: ${literal(one, `${indent}  `)},`);
  return ["{", ...members, `${indent}}`].join("\n");
}

function inOneLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, one]) => `${name(key)}: ${inOneLine(one)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function name(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);
}
