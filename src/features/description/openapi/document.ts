import type { JsonObject } from "../../../base/json/json.ts";
import type { Work } from "../../../base/slices.ts";
import { errorResponses, errorSchema } from "../../../openapi/write/error-responses.ts";
import { securitySchemes } from "../../../openapi/write/layer-effects.ts";
import { SERVER_TAG } from "../../../openapi/write/server-operations.ts";
import { describeTypes } from "../../../schema/description/types/describe-types.ts";
import type { ApiFacts, DocumentFacts } from "./api-facts.ts";
import { collectionPaths } from "./collection-paths.ts";
import { headerComponents, parameterComponents } from "./parameters.ts";
import { recordSchemas } from "./record-schemas.ts";
import { serverPaths, serverSchemas } from "./server-paths.ts";
import { singletonPaths } from "./singleton-paths.ts";

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
