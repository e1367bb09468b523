import type { JsonObject } from "../../../base/json/json.ts";
import { refusals } from "../../../openapi/write/error-responses.ts";
import { loginPath } from "../../../openapi/write/layer-effects.ts";
import { listContent, reference } from "../../../openapi/write/parts.ts";
import { makers, SERVER_TAG } from "../../../openapi/write/server-operations.ts";
import type { DescribedMember } from "../../../schema/description/description.ts";
import type { ApiFacts } from "./api-facts.ts";

const OBJECT: JsonObject = { type: "object" };
const COUNT = { type: "integer" };

/** The routes of the server itself; those that give way to a collection of their name are left out where there is one. */
export function serverPaths(served: readonly DescribedMember[], facts: ApiFacts): JsonObject {
  const taken = new Set(served.map(({ name }) => `/${name}`));
  const described = facts.described.filter(({ isWinning }) => !isWinning);
  const all: JsonObject = Object.assign({}, dataPaths(served, facts), ...described.map(({ paths }) => paths));
  const free = Object.entries(all).filter(([path]) => !taken.has(path));
  const login = loginPath(
    facts.layers,
    SERVER_TAG,
    refusals(["LOGIN_INCOMPLETE", "LOGIN_FAILED", "RATE_LIMIT_EXCEEDED"], []),
  );
  return { ...Object.fromEntries(free), ...login };
}

function dataPaths(served: readonly DescribedMember[], facts: ApiFacts): JsonObject {
  const { get, post } = makers(facts);
  const database = served.map(({ name, kind, typeName }): [string, JsonObject] => {
    const one = reference("schemas", typeName);
    return [name, kind === "collection" ? listContent(one) : one];
  });
  return {
    "/": get("index", { summary: "What is served: a page for browsers, JSON for everyone else", schema: OBJECT }),
    "/db": get("database", {
      summary: "The whole database",
      schema: { type: "object", properties: Object.fromEntries(database) },
      isConditional: true,
    }),
    "/stats": get("statistics", {
      summary: "Counts, and the least, greatest and mean value of numeric fields",
      schema: OBJECT,
      isConditional: true,
    }),
    "/health-check": get("healthCheck", {
      summary: "Whether the server is up",
      schema: {
        type: "object",
        properties: { status: { const: "ok" }, uptime: COUNT, store: { type: "string" } },
        required: ["status", "uptime", "store"],
      },
    }),
    "/__rules": get("rules", {
      summary: "The rewrite rules",
      schema: { type: "object", additionalProperties: { type: "string" } },
      isConditional: true,
    }),
    "/__rewrite": post("rewrite", {
      summary: "What a path becomes by the rewrite rules",
      schema: {
        type: "object",
        properties: { path: { type: "string" }, rules: listContent({ type: "string" }) },
        required: ["path", "rules"],
      },
      body: {
        type: "object",
        properties: { path: { type: "string", examples: ["/api/products"] } },
        required: ["path"],
      },
    }),
    "/__reset": post("reset", {
      summary: "Put the data back to what was last loaded",
      schema: reference("schemas", "Counts"),
    }),
  };
}

/** Schemas that several built-in routes refer to. */
export function serverSchemas(): JsonObject {
  const counts = { type: "object", additionalProperties: COUNT };
  return { Counts: { type: "object", properties: { id: { type: "string" }, counts }, required: ["counts"] } };
}
