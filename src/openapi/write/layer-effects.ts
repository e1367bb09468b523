import type { JsonObject } from "../../base/json/json.ts";
import type { LayerTraits } from "../../layers/layer.ts";
import { json } from "./parts.ts";

export function securitySchemes(layers: readonly LayerTraits[]): JsonObject {
  const schemes = layers.flatMap(({ name, scheme }) => (scheme ? [[name, scheme] as const] : []));
  return schemes.length === 0 ? {} : { securitySchemes: Object.fromEntries(schemes) };
}

/** The security requirements of an operation: all guards that apply to it. */
export function security(layers: readonly LayerTraits[], isWrite: boolean): JsonObject {
  const guards = layers.filter(({ scheme, guards }) => scheme && (isWrite || guards !== "writes"));
  return guards.length === 0 ? {} : { security: [Object.fromEntries(guards.map(({ name }) => [name, []]))] };
}

/** `/login`, while signed tokens are given out. */
export function loginPath(layers: readonly LayerTraits[], tag: string, errors: JsonObject): JsonObject {
  if (!layers.some(({ reserves }) => reserves?.includes("login"))) return {};
  const text = { type: "string" };
  return {
    "/login": {
      post: {
        operationId: "standin_login",
        tags: [tag],
        summary: "Get a token",
        requestBody: {
          required: true,
          ...json({
            type: "object",
            properties: { email: text, password: { type: "string", format: "password" } },
            required: ["email", "password"],
          }),
        },
        responses: {
          200: {
            description: "A token",
            ...json({
              type: "object",
              properties: {
                accessToken: text,
                tokenType: { const: "Bearer" },
                expiresIn: { type: "integer", description: "Seconds." },
                user: { type: "object", properties: { id: text, email: text }, required: ["id", "email"] },
              },
              required: ["accessToken", "tokenType", "expiresIn", "user"],
            }),
          },
          ...errors,
        },
      },
    },
  };
}
