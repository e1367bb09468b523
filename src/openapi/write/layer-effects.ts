import type { JsonObject } from "../../base/json/json.ts";
import type { LayerTraits } from "../../layers/layer.ts";
import { COUNT, json, objectOf, TEXT } from "./parts.ts";

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
  return {
    "/login": {
      post: {
        operationId: "standin_login",
        tags: [tag],
        summary: "Get a token",
        requestBody: {
          required: true,
          ...json(objectOf({ email: TEXT, password: { ...TEXT, format: "password" } })),
        },
        responses: {
          200: {
            description: "A token",
            ...json(
              objectOf({
                accessToken: TEXT,
                tokenType: { const: "Bearer" },
                expiresIn: { ...COUNT, description: "Seconds." },
                user: objectOf({ id: TEXT, email: TEXT }),
              }),
            ),
          },
          ...errors,
        },
      },
    },
  };
}
