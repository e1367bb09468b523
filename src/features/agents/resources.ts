import type { Send } from "../../http/node/send-over-http.ts";
import { expectSuccess } from "./scope.ts";

interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly path: string;
}

const RESOURCES: readonly Resource[] = [
  {
    uri: "standin://guide",
    name: "Guide",
    description: "What is served, with requests that work on this data",
    mimeType: "text/markdown",
    path: "/llms.txt",
  },
  {
    uri: "standin://openapi",
    name: "OpenAPI",
    description: "The whole API as OpenAPI 3.1",
    mimeType: "application/json",
    path: "/__openapi.json",
  },
  {
    uri: "standin://types",
    name: "Types",
    description: "TypeScript types of the data",
    mimeType: "text/plain",
    path: "/__types",
  },
  {
    uri: "standin://rules",
    name: "Rules",
    description: "The rules that records must keep: a JSON Schema for each collection",
    mimeType: "application/json",
    path: "/__mcp/rules",
  },
];

export const LISTED_RESOURCES = RESOURCES.map(({ path: _, ...listed }) => listed);

/** The content of a resource; undefined when there is none at the URI. */
export async function readResource(uri: string, send: Send) {
  const resource = RESOURCES.find((one) => one.uri === uri);
  if (!resource) return undefined;
  const { text } = await expectSuccess(send, { method: "GET", path: resource.path });
  return { contents: [{ uri, mimeType: resource.mimeType, text }] };
}
