import type { JsonObject } from "../../../base/json/json.ts";
import type { Work } from "../../../base/slices.ts";
import { errorResponses, errorSchema, refusals } from "../../../openapi/write/error-responses.ts";
import { loginPath, securitySchemes } from "../../../openapi/write/layer-effects.ts";
import { operation } from "../../../openapi/write/operation.ts";
import {
  COUNT,
  headers,
  json,
  listContent,
  OBJECT,
  objectOf,
  parameters,
  reference,
  TEXT,
} from "../../../openapi/write/parts.ts";
import { describeRoutes, SERVER_TAG } from "../../../openapi/write/server-operations.ts";
import type { DescribedMember } from "../../../schema/description/description.ts";
import { describeTypes } from "../../../schema/description/types/describe-types.ts";
import { FILE_SCHEMA, FILE_TYPE_NAME, holdsFiles } from "../../../schema/inference/file-shape.ts";
import { type ApiFacts, bodyReference, type DocumentFacts } from "./api-facts.ts";
import { collectionPaths } from "./collection-paths.ts";
import { headerComponents, parameterComponents } from "./parameters.ts";
import { patchContent } from "./patch-content.ts";
import { recordSchemas } from "./record-schemas.ts";
import { refusalsByRules, ruledHeaders, writeParameters } from "./rules/ruled-operations.ts";

/** Everything that can be asked of this server now, as an OpenAPI 3.1 document. May pause after each collection. */
export function* openApiDocument(given: ApiFacts): Work<JsonObject> {
  // No address leads to these.
  const served = given.description.members.filter(({ name }) => name !== "" && !given.hiddenNames.includes(name));
  const facts: DocumentFacts = {
    ...given,
    schemas: yield* recordSchemas(served, given),
    types: yield* describeTypes(given.description),
  };
  yield;
  const hasRules = facts.description.definitions !== undefined;
  const collections = served.filter(({ kind }) => kind === "collection");
  const singletons = served.filter(({ kind }) => kind === "singleton");
  const paths: JsonObject = {};
  for (const member of collections) {
    Object.assign(paths, collectionPaths(member, collections, facts));
    yield;
  }
  for (const member of singletons) {
    Object.assign(paths, singletonPaths(member, facts));
    yield;
  }
  Object.assign(paths, serverPaths(served, facts));
  yield;
  addWinningRoutes(paths, facts);
  yield;
  return {
    openapi: "3.1.0",
    info: {
      title: "standin",
      version: facts.version,
      description: introduction(facts),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: facts.url }],
    tags: [
      ...served.map(({ name, kind, count }) => ({
        name,
        description: kind === "singleton" ? "One object." : `A collection; ${count} records when this was made.`,
      })),
      ...(served.some(({ name }) => name === SERVER_TAG)
        ? []
        : [{ name: SERVER_TAG, description: "Routes of the server itself." }]),
    ],
    paths,
    components: {
      schemas: {
        ...facts.schemas,
        ...serverSchemas(),
        ...(served.some(({ shape }) => holdsFiles(shape)) && { [FILE_TYPE_NAME]: FILE_SCHEMA }),
        ...Object.assign({}, ...facts.described.map(({ schemas = {} }) => schemas)),
        Error: errorSchema(),
      },
      parameters: parameterComponents(hasRules),
      headers: headerComponents(hasRules),
      responses: errorResponses(facts.codesOfOtherLayers, hasRules),
      ...securitySchemes(facts.layers),
    },
  };
}

/** Adds routes that win over others for their methods alone. */
function addWinningRoutes(paths: JsonObject, { described }: ApiFacts): void {
  const winners = described.flatMap(({ isWinning, paths: winning }) => (isWinning ? Object.entries(winning) : []));
  if (winners.length === 0) return;
  const known = new Map<string, string>();
  for (const path of Object.keys(paths)) if (!known.has(shapeOf(path))) known.set(shapeOf(path), path);
  for (const [path, item] of winners) {
    const shape = shapeOf(path);
    const same = known.get(shape) ?? path;
    known.set(shape, same);
    const { parameters: _parameters, ...operations } = item as JsonObject;
    paths[same] = { ...(item as JsonObject), ...(paths[same] as JsonObject | undefined), ...operations };
  }
}

/** OpenAPI allows no two paths that differ in the names of their variables alone. */
function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, "{}");
}

function introduction({ layers, rules, isReadOnly, description }: ApiFacts): string {
  const lines = [
    "A stand-in REST API. The schemas are inferred from the served data; other fields are accepted, too.",
    ...ruled(description),
    "Add `_delay=<milliseconds>` to delay any response. A POST with the header " +
      "`X-HTTP-Method-Override` counts as the method it names.",
  ];
  if (isReadOnly) lines.push("This server is read-only: every write is refused with `READ_ONLY`.");
  if (layers.length > 0) lines.push(`Layers, in their order: ${layers.map(({ name }) => `\`${name}\``).join(", ")}.`);
  const rewrites = Object.entries(rules).map(([from, to]) => `\`${from}\` becomes \`${to}\``);
  if (rewrites.length > 0) lines.push(`Rewrite rules: ${rewrites.join("; ")}.`);
  return lines.join("\n\n");
}

function ruled({ members }: ApiFacts["description"]): string[] {
  const names = members.filter(({ rules }) => rules).map(({ name }) => `\`${name}\``);
  if (names.length === 0) return [];
  return [
    `Rules judge the records of ${names.join(", ")}: a write that would break one is refused with \`RECORD_INVALID\`.`,
  ];
}

/** The routes of a top-level object. */
function singletonPaths(member: DescribedMember, facts: DocumentFacts): JsonObject {
  const { name, typeName } = member;
  const make = operation(name, facts, refusalsByRules(member, facts));
  const answer = { ...headers("ETag"), ...json(reference("schemas", typeName)) };
  const input = json(bodyReference(member, "Input", facts));
  const write = (status: 200 | 201, isOnce: boolean, body = input): JsonObject => {
    const names = ["ETag", ...(isOnce ? ["Idempotency-Replayed"] : []), ...ruledHeaders(member)];
    const response = { ...headers(...names), ...json(reference("schemas", typeName)) };
    return {
      parameters: parameters(
        ...writeParameters(member, "if-match", "prefer-write", ...(isOnce ? ["idempotency-key"] : [])),
      ),
      requestBody: { required: true, ...body },
      responses: { [status]: { description: "The object as it is now", ...response } },
    };
  };
  return {
    [`/${encodeURIComponent(name)}`]: {
      get: make("read-singleton", `get${typeName}`, {
        summary: `Get ${name}`,
        parameters: parameters("fields", "if-none-match"),
        responses: { 200: { description: "The object", ...answer } },
      }),
      post: make("create-singleton", `create${typeName}`, {
        summary: `Replace ${name}, as PUT does`,
        ...write(201, true),
      }),
      put: make("singleton", `replace${typeName}`, { summary: `Replace ${name}`, ...write(200, false) }),
      patch: make("patch-singleton", `patch${typeName}`, {
        summary: `Change fields of ${name}`,
        ...write(200, true, patchContent(bodyReference(member, "Patch", facts))),
      }),
    },
  };
}

/** The routes of the server itself; those that give way to a collection of their name are left out where there is one. */
function serverPaths(served: readonly DescribedMember[], facts: ApiFacts): JsonObject {
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
  const database = served.map(({ name, kind, typeName }): [string, JsonObject] => {
    const one = reference("schemas", typeName);
    return [name, kind === "collection" ? listContent(one) : one];
  });
  const conditional = { parameters: parameters("if-none-match") };
  return describeRoutes(facts, {
    "/": { get: { id: "index", summary: "What is served: a page for browsers, JSON for everyone else" } },
    "/db": {
      get: {
        id: "database",
        summary: "The whole database",
        schema: { ...OBJECT, properties: Object.fromEntries(database) },
        ...conditional,
      },
    },
    "/stats": {
      get: {
        id: "statistics",
        summary: "Counts, and the least, greatest and mean value of numeric fields",
        ...conditional,
      },
    },
    "/health-check": {
      get: {
        id: "healthCheck",
        summary: "Whether the server is up",
        schema: objectOf({ status: { const: "ok" }, uptime: COUNT, store: TEXT }),
      },
    },
    "/__rules": {
      get: {
        id: "rules",
        summary: "The rewrite rules",
        schema: { ...OBJECT, additionalProperties: TEXT },
        ...conditional,
      },
    },
    "/__rewrite": {
      post: {
        id: "rewrite",
        summary: "What a path becomes by the rewrite rules",
        schema: objectOf({ path: TEXT, rules: listContent(TEXT) }),
        body: objectOf({ path: { ...TEXT, examples: ["/api/products"] } }),
      },
    },
    "/__reset": {
      post: {
        id: "reset",
        summary: "Put the data back to what was last loaded",
        schema: reference("schemas", "Counts"),
      },
    },
  });
}

/** Schemas that several built-in routes refer to. */
function serverSchemas(): JsonObject {
  return { Counts: objectOf({ id: TEXT, counts: { ...OBJECT, additionalProperties: COUNT } }, ["counts"]) };
}
