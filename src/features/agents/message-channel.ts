import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject, toJson } from "../../base/json/json.ts";
import { agentServers } from "./agent-server.ts";
import type { Sdk } from "./mcp-sdk.ts";
import type { AgentContext } from "./scope.ts";

type Id = string | number;

interface Waiting {
  readonly id: Id;
  readonly context: AgentContext;
  readonly resolve: (response: JsonObject) => void;
}

/**
 * A connection to a server of the protocol without a wire: each request brings its context, and gets its response. The
 * SDK's own HTTP transports take ten times as long as a request to the data.
 */
export class MessageChannel {
  readonly #waiting = new Map<Id, Waiting>();
  readonly #transport: Transport;
  readonly #handle: { close(): Promise<void> };
  #lastId = 0;

  constructor(sdk: Sdk, version: string) {
    this.#transport = {
      start: async () => {},
      close: async () => {},
      send: async (message) => this.#receive(toJson(message) as JsonObject),
    };
    const contextOf = (id: Id): AgentContext => this.#waiting.get(id)!.context;
    this.#handle = sdk.serveStdio(agentServers(sdk, version, contextOf), { transport: this.#transport });
  }

  /** Clients may use the same id at the same time, so each request gets another one on its way. */
  ask(request: JsonObject, context: AgentContext): Promise<JsonObject> {
    return new Promise((resolve) => {
      const id = ++this.#lastId;
      this.#waiting.set(id, { id: request.id as Id, context, resolve });
      this.#deliver({ ...request, id });
    });
  }

  notify(notification: JsonObject): void {
    const { params } = notification;
    const cancelled = isJsonObject(params) ? params.requestId : undefined;
    if (notification.method !== "notifications/cancelled" || cancelled === undefined) {
      this.#deliver(notification);
      return;
    }
    for (const [id, waiting] of this.#waiting) {
      if (waiting.id !== cancelled) continue;
      this.#deliver({ ...notification, params: { ...(params as JsonObject), requestId: id } });
      // The response of a cancelled request is never sent.
      this.#settle(id, errorResponse(waiting.id, { code: -32000, message: "The request was cancelled." }));
    }
  }

  async close(): Promise<void> {
    for (const [id, waiting] of this.#waiting) {
      this.#settle(id, errorResponse(waiting.id, { code: -32000, message: "The server is stopping." }));
    }
    await this.#handle.close();
  }

  #deliver(message: JsonObject): void {
    if (!this.#transport.onmessage) throw new StandinError("INTERNAL_ERROR", "The connection is not open.");
    this.#transport.onmessage(message as object as JSONRPCMessage);
  }

  #receive(message: JsonObject): void {
    if (message.id !== undefined && message.method === undefined) this.#settle(message.id as Id, message);
  }

  #settle(id: Id, response: JsonObject): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    waiting.resolve({ ...response, id: waiting.id });
  }
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export function errorResponse(id: Json | undefined, { code, message, data }: RpcError): JsonObject {
  const error = { code, message, ...(data !== undefined && { data: data as Json }) };
  return { jsonrpc: "2.0", id: id ?? null, error };
}
