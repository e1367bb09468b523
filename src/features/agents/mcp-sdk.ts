import {
  classifyInboundRequest,
  ProtocolError,
  Server,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";

/** The parts of the official SDK that we use. The build bundles them into a file of their own, which is loaded on first use. */
export const sdk = {
  classifyInboundRequest,
  ProtocolError,
  Server,
  serveStdio,
  StdioServerTransport,
  UnsupportedProtocolVersionError,
};

export type Sdk = typeof sdk;
