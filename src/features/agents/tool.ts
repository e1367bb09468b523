import type { JsonObject } from "../../base/json/json.ts";
import type { LocalRequest } from "../../http/local-call.ts";
import type { LocalReply } from "../../http/local-reply.ts";
import type { Send } from "../../http/node/send-over-http.ts";
import type { AgentSession } from "./agent-session.ts";

/** Everything that one call of a tool has at hand. */
export interface ToolCall {
  readonly send: Send;
  readonly session: AgentSession;
  readonly args: JsonObject;
}

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

/** A request that was refused. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly response: LocalReply;
  /** The refused request, as the agent wrote it. */
  readonly path: string | undefined;

  constructor(response: LocalReply, path?: string) {
    super(`The request failed with ${response.status}.`);
    this.response = response;
    this.path = path;
  }
}

/** Sends a request; throws a `ToolFailure` unless it succeeds. */
export async function expectSuccess(send: Send, request: LocalRequest, path?: string): Promise<LocalReply> {
  const response = await send(request);
  if (response.status >= 200 && response.status < 300) return response;
  throw new ToolFailure(response, path);
}
