import type { ErrorCode } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import { json } from "./parts.ts";

/** The effects of a layer on clients: credentials, errors, response headers. */
interface LayerFacts {
  readonly scheme?: JsonObject;
  /** Only writes need a credential. */
  readonly isForWrites?: boolean;
  readonly codes?: readonly ErrorCode[];
  readonly headers?: readonly string[];
}

const LAYERS: Readonly<Record<string, LayerFacts>> = {
  "api-key": {
    scheme: { type: "apiKey", in: "header", name: "X-API-KEY" },
    codes: ["API_KEY_MISSING", "API_KEY_MALFORMED", "API_KEY_INVALID", "FORBIDDEN_READ", "FORBIDDEN_WRITE"],
    headers: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-Authenticated-Client"],
  },
  bearer: { scheme: { type: "http", scheme: "bearer" }, codes: ["AUTH_REQUIRED", "AUTH_FORBIDDEN"] },
  "signed-token": {
    scheme: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "From POST /login." },
    isForWrites: true,
    codes: ["TOKEN_REQUIRED", "TOKEN_EXPIRED", "TOKEN_INVALID"],
  },
  "rate-limit": { codes: ["RATE_LIMIT_EXCEEDED"], headers: ["X-RateLimit-Limit", "X-RateLimit-Remaining"] },
  latency: { headers: ["X-Simulated-Delay", "X-Server-Time"] },
};

/** The codes by which the listed layers refuse; those of all layers when none are given. */
export function guardCodes(layers: readonly string[] | undefined): ErrorCode[] {
  return (layers ?? Object.keys(LAYERS)).flatMap((name) => LAYERS[name]?.codes ?? []);
}

/** Headers that the listed layers add to every response. */
export function layerHeaders(layers: readonly string[]): string[] {
  return [...new Set(layers.flatMap((name) => LAYERS[name]?.headers ?? []))];
}

export function securitySchemes(layers: readonly string[]): JsonObject {
  const schemes = layers.flatMap((name) => (LAYERS[name]?.scheme ? [[name, LAYERS[name].scheme] as const] : []));
  return schemes.length === 0 ? {} : { securitySchemes: Object.fromEntries(schemes) };
}

/** The security requirements of an operation: all guards that apply to it. */
export function security(layers: readonly string[], isWrite: boolean): JsonObject {
  const guards = layers.filter((name) => LAYERS[name]?.scheme && (isWrite || !LAYERS[name].isForWrites));
  return guards.length === 0 ? {} : { security: [Object.fromEntries(guards.map((name) => [name, []]))] };
}

/** `/login`, while signed tokens are given out. */
export function loginPath(layers: readonly string[], tag: string, errors: JsonObject): JsonObject {
  if (!layers.includes("signed-token")) return {};
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
