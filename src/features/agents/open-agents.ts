import { version } from "../../base/files/package-file.ts";
import type { JsonObject } from "../../base/json/json.ts";
import type { Service } from "../../http/contract.ts";
import type { Exchange } from "../../http/exchange.ts";
import { createOwnSender } from "../../http/own-request.ts";
import { jsonReply, type Reply } from "../../http/response/reply.ts";
import { rulesFeature } from "../rules/feature.ts";
import { createEndpoint } from "./endpoint.ts";
import { ownUrl, sendOverHttp } from "./send-over-http.ts";
import type { Send } from "./tool.ts";
import { USER_AGENT } from "./user-agent.ts";

/** The routes for agents. */
export interface Agents {
  respond(exchange: Exchange): Promise<Reply>;
  end(exchange: Exchange): Reply;
  rules(): Reply;
  close(): void;
}

export async function openAgents(service: Service): Promise<Agents> {
  const { sdk } = await import("./mcp-sdk.ts");
  const sendFor = await createSenders(service);
  const endpoint = createEndpoint(sdk, {
    version: version(),
    sendFor,
    maxBodyBytes: service.settings.maxBodyBytes,
  });
  return { ...endpoint, rules: () => jsonReply(JSON.stringify(rulesOf(service))) };
}

/** Tools send their requests through the pipeline. Interceptors want real ones, which come by HTTP. */
async function createSenders(service: Service): Promise<(exchange: Exchange) => Send> {
  if (service.steps.some(({ kind }) => kind === "interceptor")) {
    return (exchange) => sendOverHttp(() => ownUrl(exchange), credentialsOf(exchange));
  }
  const sendOwn = await createOwnSender(service);
  return (exchange) => (request) => {
    const { method, path, body } = request;
    return sendOwn(exchange, { method, path, body, headers: { ...request.headers, "user-agent": USER_AGENT } });
  };
}

function credentialsOf({ req }: Exchange): Record<string, string> {
  const { authorization, "x-api-key": key, host } = req.headers;
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
