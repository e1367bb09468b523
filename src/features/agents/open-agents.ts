import { version } from "../../base/files/package-file.ts";
import type { JsonObject } from "../../base/json/json.ts";
import type { Call } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import { DIALECT_HEADER } from "../../http/dialect-header.ts";
import { judgingLayers } from "../../http/judge.ts";
import { LocalCall, sharedHeaders } from "../../http/local-call.ts";
import { replyLocally } from "../../http/local-reply.ts";
import { type Send, sendOverHttp, USER_AGENT } from "../../http/node/send-over-http.ts";
import { Pipeline } from "../../http/pipeline.ts";
import { jsonReply, type Reply } from "../../http/response/reply.ts";
import { rulesFeature } from "../rules/feature.ts";
import { createEndpoint } from "./endpoint.ts";

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
  const endpoint = createEndpoint(sdk, {
    version: version(),
    sendFor,
  });
  return { ...endpoint, rules: () => jsonReply(JSON.stringify(rulesOf(service))) };
}

/** Tools send their requests through the pipeline. Interceptors want real ones, which come by HTTP. */
function createSenders(service: Service): (call: Call) => Send {
  if (service.steps.some(({ kind }) => kind === "interceptor")) {
    return (call) => sendOverHttp(() => call.localOrigin(call.isEncrypted ? "https" : "http"), credentialsOf(call));
  }
  const pipeline = new Pipeline(judgedService(service));
  return (outer) => {
    const shared = { ...sharedHeaders(outer), [DIALECT_HEADER]: "standin" };
    return ({ headers, ...request }) => {
      const own = { ...headers, "user-agent": USER_AGENT };
      const options = { headers: { ...shared, ...own }, settings: service.settings };
      return replyLocally(pipeline, LocalCall.within(outer, { ...request, headers: own }, options));
    };
  };
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
