import { StandinError } from "../../base/errors.ts";
import { type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { firstLines, fitting, MAX_BYTES } from "./capped.ts";
import { checkArguments } from "./check-arguments.ts";
import { errorOf, type ReadError, toldError } from "./error-of.ts";
import { hintFor } from "./hint.ts";
import { type ToolCall, ToolFailure } from "./tool.ts";
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
export async function callTool(name: string, given: unknown, context: Omit<ToolCall, "args">): Promise<ToolResult> {
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
  if (thrown instanceof SyntaxError) {
    return toldError(
      new StandinError("FAULT_ON_DEMAND", "The response is not JSON: a fault rule or a plugin damaged it."),
    );
  }
  throw thrown;
}
