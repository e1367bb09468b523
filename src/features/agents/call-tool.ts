import { StandinError } from "../../errors.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { didYouMean } from "../../nearest.ts";
import { firstLines } from "./capped.ts";
import { checkArguments } from "./check-arguments.ts";
import { errorOf, type ToldError, toldError } from "./error-of.ts";
import { hintFor } from "./hint.ts";
import { type ToolCall, ToolFailure } from "./tool.ts";
import { TOOLS } from "./tools.ts";

/** The result of a tool, in the form of the protocol. */
export interface ToolResult {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly isError?: true;
  readonly [key: string]: unknown;
}

/** Runs a tool. An error that the agent can fix is a result with a hint; other errors are thrown. */
export async function callTool(name: string, given: unknown, context: Omit<ToolCall, "args">): Promise<ToolResult> {
  const args = isJsonObject(given as JsonObject) ? (given as JsonObject) : {};
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
    const text = JSON.stringify({ ...error.body, ...(hint !== undefined && { hint }) });
    return { content: [{ type: "text", text: firstLines(text, "Cut here.") }], isError: true };
  }
}

function errorIn(thrown: unknown): ToldError {
  if (thrown instanceof ToolFailure) return errorOf(thrown.response);
  if (thrown instanceof StandinError) return toldError(thrown);
  throw thrown;
}
