import type { Readable, Writable } from "node:stream";
import { version } from "../../base/platform/files.ts";
import type { Send } from "../../http/node/send-over-http.ts";
import { agentServers } from "./agent-server.ts";
import { AgentSession } from "./scope.ts";

export interface StdioOptions {
  readonly send: Send;
  readonly input: Readable;
  readonly output: Writable;
  /** A message that cannot be read. */
  readonly onError: (error: Error) => void;
  readonly onEnd: () => void;
}

/** Serves one client on a pair of streams, in either era of the protocol. The connection is the session. */
export async function serveOnStdio({ send, input, output, onError, onEnd }: StdioOptions): Promise<void> {
  const { sdk } = await import("./mcp-sdk.ts");
  const context = { send, session: new AgentSession(true) };
  const transport = new sdk.StdioServerTransport(input, output);
  sdk.serveStdio(
    agentServers(sdk, version(), () => context),
    { transport, onerror: onError },
  );
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    input.destroy();
    onEnd();
  };
  input.once("end", end);
  input.once("close", end);
  // A message that is too long ends the connection from our side.
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    end();
  };
}
