import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";

/** Both eras of the protocol: with sessions, and with everything in each request. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof ERAS)[number];

export interface Result {
  readonly isError: boolean;
  readonly text: string;
  /** The text read as JSON; undefined when it is none. */
  readonly body: Body;
}

type Body = ReturnType<typeof JSON.parse>;

/** An agent, as far as it uses tools. */
export interface Agent {
  readonly client: Client;
  /** Calls a tool. In the era without sessions it passes on the sandbox that the first result names. */
  call(tool: string, args?: Record<string, unknown>): Promise<Result>;
  /** The same, exactly as given. */
  callPlainly(tool: string, args?: Record<string, unknown>): Promise<Result>;
  readonly sandbox: string | undefined;
}

/** Connects the official client; it is closed when the test ends. */
export async function connectAgent(transport: Transport, era: Era): Promise<Agent> {
  const mode = era === "2025-11-25" ? "legacy" : { pin: era };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } } as ClientOptions);
  await client.connect(transport);
  onTestFinished(() => client.close());
  let sandbox: string | undefined;
  const callPlainly = async (tool: string, args: Record<string, unknown> = {}): Promise<Result> => {
    const result = await client.callTool({ name: tool, arguments: args });
    const [{ text }] = result.content as unknown as [{ text: string }];
    const read = { isError: result.isError === true, text, body: bodyOf(text) };
    sandbox ??= /"?sandbox"?: ?"?([\w-]+)/.exec(text)?.[1];
    return read;
  };
  return {
    client,
    callPlainly,
    call: (tool, args = {}) => {
      const key = tool === "sandbox" ? "name" : "sandbox";
      const isNamed = args[key] !== undefined || args.shared !== undefined;
      const isStateless = era === "2026-07-28" && transport instanceof StreamableHTTPClientTransport;
      return callPlainly(tool, isStateless && sandbox && !isNamed ? { ...args, [key]: sandbox } : args);
    },
    get sandbox() {
      return sandbox;
    },
  };
}

export function connectOverHttp(url: string, era: Era, headers: Record<string, string> = {}): Promise<Agent> {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/__mcp`), { requestInit: { headers } });
  return connectAgent(transport, era);
}

function bodyOf(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
