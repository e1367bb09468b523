import { isJsonObject, type Json } from "../../../base/json/json.ts";

const MAX_LINE = 100;
/** Keywords whose schema reads well beside the others. */
const OF_MEMBERS = ["items", "additionalProperties"];

/** Renders rules as a person would write them: what is short stays on one line. */
export function renderRules(value: Json, indent = "", taken = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inside = `${indent}  `;
  if (Array.isArray(value)) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
    if (fits(line, indent, taken) && value.every((item) => typeof item !== "object" || item === null)) return line;
    return `[\n${value.map((item) => inside + renderRules(item, inside)).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  const parts = entries.map(([key, inner]) => {
    const head = `${JSON.stringify(key)}: `;
    return head + renderRules(inner, inside, head.length);
  });
  const line = `{ ${parts.join(", ")} }`;
  const isStructure = entries.some(([key, inner]) => isJsonObject(inner) && !OF_MEMBERS.includes(key));
  if (fits(line, indent, taken) && !line.includes("\n") && !isStructure) return line;
  return `{\n${parts.map((part) => inside + part).join(",\n")}\n${indent}}`;
}

function fits(line: string, indent: string, taken: number): boolean {
  return indent.length + taken + line.length <= MAX_LINE;
}
