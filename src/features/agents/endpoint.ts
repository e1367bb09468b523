import type { IncomingHttpHeaders } from "node:http";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { Call } from "../../http/call.ts";
import type { Send } from "../../http/node/send-over-http.ts";
import type { Reply } from "../../http/response/reply.ts";
import { type HttpSession, HttpSessions } from "./http-sessions.ts";
import type { Sdk } from "./mcp-sdk.ts";
import { errorResponse, MessageChannel } from "./message-channel.ts";
import { AgentSession, sessionOf } from "./scope.ts";

export const SESSION = "mcp-session-id";
/** The revisions without sessions that the SDK serves. */
export const MODERN = ["2026-07-28"];
/** The revisions with sessions. */
export const WITH_SESSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/** The most messages of one JSON-RPC batch, which only early revisions know. */
const MAX_BATCH = 50;
const METHOD_NOT_FOUND = -32601;
const INVALID_REQUEST = -32600;
const NO_SESSION = -32000;
const SESSION_NOT_FOUND = -32001;
const HEADER_MISMATCH = -32020;
/** No notification is ever sent, so there is nothing to listen to. */
const NOT_OFFERED = "subscriptions/listen";

export interface EndpointOptions {
  readonly version: string;
  readonly sendFor: (call: Call) => Send;
}

/**
 * The streamable HTTP endpoint for both eras of the protocol. Revisions up to 2025-11-25 begin with `initialize` and name
 * their session in `Mcp-Session-Id`; later ones put everything into each request. Responses are JSON; there are no streams.
 */
export function createEndpoint(sdk: Sdk, { version, sendFor }: EndpointOptions) {
  const sessions = new HttpSessions();
  const open = (): MessageChannel => new MessageChannel(sdk, version);
  let shared: MessageChannel | undefined;

  const respondToModern = async (message: JsonObject, call: Call): Promise<Reply> => {
    const problem = headerProblem(message, call.headers);
    if (problem !== undefined)
      return rpcReply(400, errorResponse(message.id, { code: HEADER_MISMATCH, message: problem }));
    if (message.method === NOT_OFFERED) {
      return rpcReply(
        404,
        errorResponse(message.id, { code: METHOD_NOT_FOUND, message: "There is nothing to listen to." }),
      );
    }
    shared ??= open();
    const context = { send: sendFor(call), session: sessionOf(call, new AgentSession(false)) };
    return replyTo(await shared.ask(message, context));
  };

  const initialize = async (message: JsonObject, call: Call): Promise<Reply> => {
    const channel = open();
    const session = sessions.create(channel);
    sessionOf(call, session.agent);
    const response = await channel.ask(message, { send: sendFor(call), session: session.agent });
    if (response.error === undefined) return { ...rpcReply(200, response), headers: { "Mcp-Session-Id": session.id } };
    sessions.end(session.id);
    return rpcReply(200, response);
  };

  const respondInSession = async (body: Json, call: Call): Promise<Reply> => {
    const id = call.headers[SESSION];
    const first = ([body].flat()[0] ?? {}) as JsonObject;
    if (id === undefined) {
      const message = "Bad Request: begin with initialize, then send its Mcp-Session-Id with every request.";
      return rpcReply(400, errorResponse(first.id, { code: NO_SESSION, message }));
    }
    const { "mcp-protocol-version": version } = call.headers;
    if (version !== undefined && !WITH_SESSIONS.includes(String(version))) {
      const message = `Bad Request: unsupported protocol version. A session is of one of ${WITH_SESSIONS.join(", ")}.`;
      return rpcReply(400, errorResponse(first.id, { code: NO_SESSION, message }));
    }
    const session = sessions.use(String(id));
    if (!session)
      return rpcReply(
        404,
        errorResponse(first.id, { code: SESSION_NOT_FOUND, message: "Session not found. Begin anew with initialize." }),
      );
    const responses = await Promise.all(
      ([body].flat() as JsonObject[]).map((message) => respondToMessage(message, session, call)),
    );
    const sent = responses.filter((one) => one !== undefined);
    const [only] = sent;
    return only ? rpcReply(200, Array.isArray(body) ? sent : only) : { status: 202 };
  };

  /** Undefined for notifications and responses. */
  const respondToMessage = async (
    message: JsonObject,
    { channel, agent }: HttpSession,
    call: Call,
  ): Promise<JsonObject | undefined> => {
    if (message.method === undefined) return undefined;
    if (message.id !== undefined) return channel.ask(message, { send: sendFor(call), session: agent });
    channel.notify(message);
    return undefined;
  };

  return {
    async respond(body: Json, call: Call): Promise<Reply> {
      if (Array.isArray(body) && body.length > MAX_BATCH) {
        const message = `A batch of ${body.length} messages: send at most ${MAX_BATCH} at a time.`;
        return rpcReply(400, errorResponse(null, { code: INVALID_REQUEST, message }));
      }
      const route = sdk.classifyInboundRequest({
        httpMethod: "POST",
        ...headerIn("protocolVersionHeader", call.headers["mcp-protocol-version"]),
        ...headerIn("mcpMethodHeader", call.headers["mcp-method"]),
        ...headerIn("mcpNameHeader", call.headers["mcp-name"]),
        body,
      });
      const { id } = (body ?? {}) as JsonObject;
      if (route.kind === "reject") {
        return rpcReply(route.httpStatus, errorResponse(id, route));
      }
      if (route.kind === "legacy") {
        const isFirst = route.reason === "initialize" && call.headers[SESSION] === undefined;
        return isFirst ? initialize(body as JsonObject, call) : respondInSession(body, call);
      }
      const requested = route.classification.revision ?? "unknown";
      if (!MODERN.includes(requested)) {
        const { code, message, data } = new sdk.UnsupportedProtocolVersionError({ supported: MODERN, requested });
        return rpcReply(400, errorResponse(id, { code, message, data }));
      }
      if (route.messageKind === "notification") return { status: 202 };
      return respondToModern(body as JsonObject, call);
    },

    /** The state of an agent that is in this session; undefined if it has ended. */
    agentIn: (session: string): AgentSession | undefined => sessions.use(session)?.agent,

    end(call: Call): Reply {
      const id = call.headers[SESSION];
      if (id !== undefined && sessions.end(String(id))) return { status: 204 };
      return rpcReply(404, errorResponse(null, { code: SESSION_NOT_FOUND, message: "Session not found." }));
    },

    close(): void {
      sessions.close();
      void shared?.close();
    },
  };
}

function headerIn<Name extends string>(name: Name, value: string | string[] | undefined): { [key in Name]?: string } {
  return (value === undefined ? {} : { [name]: String(value) }) as { [key in Name]?: string };
}

function replyTo(response: JsonObject): Reply {
  const { error } = response as { error?: { code: number } };
  return rpcReply(error?.code === METHOD_NOT_FOUND ? 404 : 200, response);
}

function rpcReply(status: number, message: Json): Reply {
  return { status, json: JSON.stringify(message) };
}

/** The member of the parameters that `Mcp-Name` repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "resources/read": "uri",
  "prompts/get": "name",
};
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/**
 * Why the headers of a request do not fit its body; undefined if they do. Proxies route by the headers, so revision
 * 2026-07-28 requires them. The SDK checks `MCP-Protocol-Version` and `Mcp-Method` where they are given.
 */
function headerProblem({ method, params }: JsonObject, headers: IncomingHttpHeaders): string | undefined {
  for (const name of ["mcp-protocol-version", "mcp-method"]) {
    if (headers[name] === undefined) return `The header ${name} is missing.`;
  }
  const member = NAMED_BY[String(method)];
  const expected = member !== undefined && isJsonObject(params) ? params[member] : undefined;
  if (typeof expected !== "string") return undefined;
  const given = headers["mcp-name"];
  if (given === undefined) return `The header mcp-name is missing: the body names ${JSON.stringify(expected)}.`;
  return decoded(String(given)) === expected
    ? undefined
    : `The header mcp-name is ${JSON.stringify(given)}, but the body names ${JSON.stringify(expected)}.`;
}

function decoded(text: string): string {
  const [, encoded] = ENCODED.exec(text.trim()) ?? [];
  return encoded === undefined ? text.trim() : Buffer.from(encoded, "base64").toString();
}
