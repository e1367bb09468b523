import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { References } from "../../../schema/references.ts";
import type { Document } from "../document.ts";
import { convertOperation } from "./convert-operation.ts";
import { modernSchemas } from "./modern-schemas.ts";

/**
 * Turns a Swagger 2.0 document into OpenAPI 3.0, in place, as well as the files it refers to. Definitions also stay where
 * they were, so that references to them keep their meaning and messages name places that people know.
 */
export function convertSwagger({ file, root }: Document, references: References, files: Iterable<Json>): Document {
  for (const one of files) modernSchemas(one);
  const converted = new WeakSet<object>();
  const defaults = { consumes: typesOf(root.consumes), produces: typesOf(root.produces) };
  for (const [, placed] of references.members({ value: root.paths, place: "#/paths" })) {
    const item = references.object(placed);
    // Two paths may share what they refer to.
    if (!item || converted.has(item.value)) continue;
    converted.add(item.value);
    const { parameters, ...members } = item.value;
    for (const [key, operation] of Object.entries(members)) {
      if (key.startsWith("x-") || !isJsonObject(operation)) continue;
      convertOperation(references, {
        item: { ...item, value: { ...item.value, parameters: parameters ?? [] } },
        key,
        defaults,
      });
    }
    delete item.value.parameters;
  }
  const { swagger: _, host, basePath, schemes, securityDefinitions, ...rest } = root;
  return {
    file,
    root: {
      ...rest,
      openapi: "3.0.3",
      servers: serversOf(host, basePath, schemes),
      components: {
        schemas: isJsonObject(root.definitions) ? root.definitions : {},
        securitySchemes: schemesOf(securityDefinitions),
      },
    },
  };
}

function typesOf(value: Json | undefined): string[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value.map(String) : undefined;
}

function serversOf(host: Json | undefined, basePath: Json | undefined, schemes: Json | undefined): Json[] {
  const path = typeof basePath === "string" ? basePath : "";
  if (typeof host !== "string") return [{ url: path === "" ? "/" : path }];
  return (typesOf(schemes) ?? ["http"]).map((scheme) => ({ url: `${scheme}://${host}${path}` }));
}

const FLOWS: Readonly<Record<string, string>> = { application: "clientCredentials", accessCode: "authorizationCode" };

function schemesOf(definitions: Json | undefined): JsonObject {
  const entries = Object.entries(isJsonObject(definitions) ? definitions : {});
  return Object.fromEntries(
    entries.map(([name, scheme]): [string, Json] => {
      if (!isJsonObject(scheme)) return [name, scheme];
      if (scheme.type === "basic") return [name, { type: "http", scheme: "basic" }];
      if (scheme.type !== "oauth2") return [name, scheme];
      const { type, flow, description: _, ...details } = scheme;
      return [name, { type, flows: { [FLOWS[String(flow)] ?? String(flow)]: details } }];
    }),
  );
}
