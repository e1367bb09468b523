import type { IncomingHttpHeaders } from "node:http";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { version } from "../../base/platform/files.ts";
import type { Call } from "../../http/call.ts";
import { AGENT_HEADER } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import { DIALECT_HEADER } from "../../http/dialect-header.ts";
import { judgingLayers } from "../../http/judge.ts";
import { LocalCall, replyLocally, sharedHeaders } from "../../http/local-call.ts";
import { type Send, sendOverHttp, USER_AGENT } from "../../http/node/send-over-http.ts";
import { Pipeline } from "../../http/pipeline.ts";
import { jsonReply, type Reply } from "../../http/response/reply.ts";
import { rulesFeature } from "../rules/feature.ts";
import { callTool } from "./call-tool.ts";
import { createEndpoint, MODERN, SESSION, WITH_SESSIONS } from "./endpoint.ts";
import { type AgentContext, AgentSession, sessionOf } from "./scope.ts";

const MAX_AGENT_NAME = 10;
const ENVELOPE = "io.modelcontextprotocol/";

/** The routes for agents. */
export interface Agents {
  respond(call: Call): Promise<Reply>;
  end(call: Call): Reply;
  rules(): Reply;
  close(): void;
}

export async function openAgents(service: Service): Promise<Agents> {
  const { sdk } = await import("./mcp-sdk.ts");
  const sendFor = createSenders(service);
  const { respond, agentIn, end, close } = createEndpoint(sdk, { version: version(), sendFor });
  const serverInfo = { [`${ENVELOPE}serverInfo`]: { name: "standin", version: version() } };
  const modernMembers = `,"resultType":"complete","_meta":${JSON.stringify(serverInfo)}`;
  return {
    async respond(call) {
      const body = (await call.body()) ?? null;
      const plain = plainCall(body, call.headers);
      if (!plain) return respond(body, call);
      const isModern = plain.session === undefined;
      const session = isModern ? sessionOf(call, new AgentSession(false)) : agentIn(plain.session);
      if (!session) return respond(body, call);
      return respondToCall(plain, { send: sendFor(call), session }, isModern ? modernMembers : "");
    },
    end,
    close,
    rules: () => jsonReply(JSON.stringify(rulesOf(service))),
  };
}

/** A tool call that nothing needs to be negotiated for. */
interface PlainCall {
  /** Undefined for a revision without sessions. */
  readonly session: string | undefined;
  readonly id: Json;
  readonly name: string;
  readonly args: Json | undefined;
}

/** The tool call in a message that is as it should be; undefined for any other message, which the SDK has to judge. */
function plainCall(body: Json, headers: IncomingHttpHeaders): PlainCall | undefined {
  if (!isJsonObject(body)) return undefined;
  const { jsonrpc, id, method, params } = body;
  if (
    method !== "tools/call" ||
    jsonrpc !== "2.0" ||
    !(typeof id === "string" || (typeof id === "number" && Number.isInteger(id)))
  )
    return undefined;
  if (!isJsonObject(params) || typeof params.name !== "string") return undefined;
  const { name, arguments: args, _meta: meta } = params;
  if (args !== undefined && !isJsonObject(args)) return undefined;
  const { [SESSION]: session, "mcp-protocol-version": version, "mcp-method": namedMethod } = headers;
  if (version !== undefined && MODERN.includes(String(version))) {
    const fits = namedMethod === method && headers["mcp-name"] === name && isEnvelope(meta, String(version));
    return fits ? { session: undefined, id, name, args } : undefined;
  }
  const isOfSession = typeof session === "string" && namedMethod === undefined && !isEnvelope(meta);
  const isKnown = version === undefined || WITH_SESSIONS.includes(String(version));
  return isOfSession && isKnown ? { session, id, name, args } : undefined;
}

/** Whether a request brings along everything that a session would know, for a revision. */
function isEnvelope(meta: Json | undefined, revision?: string): boolean {
  if (!isJsonObject(meta)) return false;
  const { [`${ENVELOPE}protocolVersion`]: version, [`${ENVELOPE}clientInfo`]: client } = meta;
  if (revision === undefined) return version !== undefined;
  if (version !== revision || !isJsonObject(meta[`${ENVELOPE}clientCapabilities`]) || !isJsonObject(client))
    return false;
  return typeof client.name === "string" && typeof client.version === "string";
}

/** Hot path: the way through the SDK takes as long as a request to the data. */
async function respondToCall(
  { id, name, args }: PlainCall,
  context: AgentContext,
  moreMembers: string,
): Promise<Reply> {
  const { content, isError } = await callTool(name, args, context);
  const error = isError ? ',"isError":true' : "";
  const result = `{"content":[{"type":"text","text":${JSON.stringify(content[0]!.text)}}]${error}${moreMembers}}`;
  return { status: 200, json: `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}` };
}

/** Tools send their requests through the pipeline. Interceptors want real ones, which come by HTTP. */
function createSenders(service: Service): (call: Call) => Send {
  if (service.steps.some(({ kind }) => kind === "interceptor")) {
    const addressOf = (call: Call): string =>
      `${call.localOrigin(call.isEncrypted ? "https" : "http")}${service.settings.base}`;
    return (call) => sendOverHttp(() => addressOf(call), { ...credentialsOf(call), [AGENT_HEADER]: agentName(call) });
  }
  const pipeline = new Pipeline(judgedService(service));
  return (outer) => {
    const shared = { ...sharedHeaders(outer), [DIALECT_HEADER]: "standin" };
    return ({ headers, ...request }) => {
      const own = { ...headers, "user-agent": USER_AGENT, [AGENT_HEADER]: agentName(outer) };
      const options = { headers: { ...shared, ...own }, settings: service.settings };
      return replyLocally(pipeline, LocalCall.within(outer, { ...request, headers: own }, options));
    };
  };
}

/** The beginning of the session's id: enough to tell agents apart, and no use to anyone else. */
function agentName({ headers }: Call): string {
  return String(headers[SESSION] ?? "no-session").slice(0, MAX_AGENT_NAME);
}

/** Layers that delay, count or log have met the call of the tool already. */
function judgedService(service: Service): Service {
  return Object.defineProperty({ ...service, steps: judgingLayers(service) }, "rewriter", {
    // Replaced when the rewrite file is reloaded.
    get: () => service.rewriter,
    enumerable: true,
  });
}

function credentialsOf(call: Call): Record<string, string> {
  const { authorization, "x-api-key": key, host } = call.headers;
  return {
    ...(authorization !== undefined && { authorization }),
    ...(typeof key === "string" && { "x-api-key": key }),
    ...(host !== undefined && { host }),
  };
}

/** The rules in force, as a rules file has them. */
function rulesOf(service: Service): JsonObject {
  const rules = service.offer(rulesFeature)?.rules ?? new Map();
  return Object.fromEntries(
    [...rules].map(([name, { schema, unique, references }]) => [
      name,
      {
        ...schema,
        ...(unique.length > 0 && { "x-unique": unique }),
        ...(Object.keys(references).length > 0 && { "x-references": references }),
      },
    ]),
  );
}
