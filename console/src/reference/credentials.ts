import type { Json, JsonObject } from "../api/json.ts";
import { listIn, objectIn, textIn } from "./reading.ts";
import { resolve } from "./references.ts";

/** A credential that an operation asks for, as the parameter that carries it. */
export interface CredentialParameter {
  readonly name: string;
  readonly place: "query" | "header" | "cookie";
  readonly description: string;
  readonly example: string;
}

/** The credentials of all alternatives; none of them has to be sent to every server. */
export function credentialParameters(root: JsonObject, security: Json | undefined): CredentialParameter[] {
  const schemes = objectIn(objectIn(root.components).securitySchemes);
  const names = new Set(listIn(security).flatMap((requirement) => Object.keys(objectIn(requirement))));
  return [...names].flatMap((name) => {
    const scheme = resolve(root, schemes[name]).value;
    const parameter = carrier(scheme);
    return parameter ? [{ ...parameter, description: textIn(scheme.description) || parameter.description }] : [];
  });
}

function carrier(scheme: JsonObject): CredentialParameter | undefined {
  if (scheme.type === "apiKey") {
    const place = (["query", "header", "cookie"] as const).find((one) => one === scheme.in);
    return place && { name: textIn(scheme.name), place, description: "An API key.", example: "" };
  }
  if (scheme.type === "http" && textIn(scheme.scheme).toLowerCase() === "basic") {
    return {
      name: "Authorization",
      place: "header",
      description: "`Basic` and the name and password in Base64.",
      example: "Basic YWRhOnNlY3JldA==",
    };
  }
  if (scheme.type !== "http" && scheme.type !== "oauth2" && scheme.type !== "openIdConnect") return undefined;
  return { name: "Authorization", place: "header", description: "`Bearer` and a token.", example: "Bearer " };
}
