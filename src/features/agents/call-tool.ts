import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import { JsonSyntaxError } from "../../base/json/json-syntax.ts";
import { didYouMean } from "../../base/nearest.ts";
import { errorOf, type ReadError, toldError } from "./error-of.ts";
import { hintFor } from "./hint.ts";
import { type AgentContext, ToolFailure } from "./scope.ts";
import { firstLines, fitting, MAX_BYTES, type Tool } from "./tool.ts";
import { TOOLS } from "./tools.ts";

/** The longest text in an error: messages may repeat what was given. */
const MAX_TEXT = 5000;

/** The result of a tool, in the form of the protocol. */
export interface ToolResult {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly isError?: true;
  readonly [key: string]: unknown;
}

/** Runs a tool. An error that the agent can fix is a result with a hint; other errors are thrown. */
export async function callTool(name: string, given: unknown, context: AgentContext): Promise<ToolResult> {
  const args = (given ?? {}) as JsonObject;
  try {
    const tool = TOOLS.get(name);
    if (!tool) {
      const names = [...TOOLS.keys()];
      throw new StandinError("TOOL_INVALID", `There is no tool "${name}".${didYouMean(name, names)}`);
    }
    checkArguments(tool, args);
    return { content: [{ type: "text", text: await tool.run({ ...context, args }) }] };
  } catch (thrown) {
    const error = errorIn(thrown);
    const hint = hintFor({ tool: name, args, error });
    return { content: [{ type: "text", text: errorText(error.body, hint) }], isError: true };
  }
}

/** Lists in an error, such as conflicts, show as many entries as fit. */
function errorText(body: JsonObject, hint: Json | undefined): string {
  const isSmall = Buffer.byteLength(stringifyJson(body)) <= MAX_BYTES;
  const shown = Object.entries(body).map(([name, value]) => {
    if (isSmall || !Array.isArray(value)) return [name, typeof value === "string" ? value.slice(0, MAX_TEXT) : value];
    return [
      name,
      value.slice(
        0,
        fitting(
          value.map((one) => stringifyJson(one)),
          MAX_BYTES / 2,
        ),
      ),
    ];
  });
  const text = stringifyJson({ ...Object.fromEntries(shown), ...(hint !== undefined && { hint }) });
  return firstLines(text, "Cut here.");
}

function errorIn(thrown: unknown): ReadError {
  if (thrown instanceof ToolFailure) return errorOf(thrown.response);
  if (thrown instanceof StandinError) return toldError(thrown);
  if (thrown instanceof JsonSyntaxError) {
    return toldError(
      new StandinError("FAULT_ON_DEMAND", "The response is not JSON: a fault rule or a plugin damaged it."),
    );
  }
  throw thrown;
}

/** Expects the arguments that a tool takes. The message names the argument that is wrong, and what is allowed. */
function checkArguments({ name, properties, required = [] }: Tool, args: JsonObject): void {
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
  if (missing === undefined) return;
  const choices = properties[missing]?.enum;
  const allowed = Array.isArray(choices) ? ` Allowed values are ${choices.join(", ")}.` : "";
  throw invalid(`${name} needs the argument "${missing}".${allowed}`);
}

/** The parts of JSON Schema that tools use. */
function problemOf(value: Json, schema: JsonObject): string | undefined {
  const { type, enum: choices, minimum, maximum, maxItems, items } = schema;
  if (Array.isArray(choices) && !choices.includes(value)) {
    const near = typeof value === "string" ? didYouMean(value, choices as string[]) : "";
    return `is ${shown(value)}; allowed values are ${choices.join(", ")}.${near}`;
  }
  if (type !== undefined && ![type].flat().some((one) => isOfType(value, one as string))) {
    return `is ${shown(value)}; it must be ${[type].flat().join(" or ")}.`;
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
