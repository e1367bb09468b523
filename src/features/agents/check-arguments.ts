import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import type { Tool } from "./tool.ts";

/** Expects the arguments that a tool takes. The message names the argument that is wrong, and what is allowed. */
export function checkArguments({ name, properties, required = [] }: Tool, args: JsonObject): void {
  const names = Object.keys(properties);
  for (const [key, value] of Object.entries(args)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!schema) {
      throw invalid(`${name} has no argument "${key}".${didYouMean(key, names)} Arguments: ${names.join(", ")}.`);
    }
    const problem = problemOf(value, schema);
    if (problem !== undefined) throw invalid(`"${key}" ${problem}`);
  }
  const missing = required.find((key) => args[key] === undefined);
  if (missing !== undefined) throw invalid(`${name} needs the argument "${missing}".`);
}

/** The parts of JSON Schema that tools use. */
function problemOf(value: Json, schema: JsonObject): string | undefined {
  const { type, enum: choices, minimum, maximum, maxItems, items } = schema;
  if (Array.isArray(choices) && !choices.includes(value)) {
    const near = typeof value === "string" ? didYouMean(value, choices as string[]) : "";
    return `is ${shown(value)}; allowed is ${choices.join(", ")}.${near}`;
  }
  if (type !== undefined && ![type].flat().some((one) => isOfType(value, one as string))) {
    return `is ${shown(value)}; expected is ${[type].flat().join(" or ")}.`;
  }
  if (typeof value === "number" && value < ((minimum as number) ?? value)) return `is ${value}; at least ${minimum}.`;
  if (typeof value === "number" && value > ((maximum as number) ?? value)) return `is ${value}; at most ${maximum}.`;
  if (!Array.isArray(value)) return undefined;
  if (value.length > ((maxItems as number) ?? value.length)) return `has ${value.length} entries; at most ${maxItems}.`;
  if (!isJsonObject(items)) return undefined;
  for (const [at, one] of value.entries()) {
    const problem = problemOf(one, items);
    if (problem !== undefined) return `has an entry ${at} that ${problem}`;
  }
  return undefined;
}

function isOfType(value: Json, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isJsonObject(value);
  return typeof value === type;
}

function shown(value: Json): string {
  return stringifyJson(value).slice(0, 100);
}

function invalid(message: string): StandinError {
  return new StandinError("TOOL_INVALID", message);
}
