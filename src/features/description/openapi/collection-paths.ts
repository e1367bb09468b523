import type { JsonObject } from "../../../base/json/json.ts";
import { operation } from "../../../openapi/write/operation.ts";
import { headers, json, listContent, parameters, reference } from "../../../openapi/write/parts.ts";
import { type DescribedMember, relationsOf } from "../../../schema/description/description.ts";
import { bodyReference, type DocumentFacts } from "./api-facts.ts";
import { fieldsOf } from "./field-facts.ts";
import { withForm } from "./file-content.ts";
import { filePaths } from "./file-paths.ts";
import { filterParameters, relationParameters } from "./parameters.ts";
import { patchContent } from "./patch-content.ts";
import { parentName } from "./record-schemas.ts";
import { refusalsByRules, ruledHeaders, writeParameters } from "./rules/ruled-operations.ts";

const LIST_HEADERS = ["ETag", "X-Total-Count", "Link", "Content-Range", "Preference-Applied"];

/** OpenAPI 3.1 has no place for the method itself. Clients want the types of records, so other forms are text only, too. */
const LIST_DESCRIPTION =
  "Filters, sorts and pages by the parameters. The method QUERY takes them in the body, as JSON or as a form. With `_fields`, `_per_page`, `_group`, " +
  "`_aggregate` or `Prefer: explain`, the response has another form than the schema says.";

/** The routes of a collection: list, create, one record, and its children. */
export function collectionPaths(
  member: DescribedMember,
  collections: readonly DescribedMember[],
  facts: DocumentFacts,
): JsonObject {
  const { name, typeName } = member;
  const path = `/${encodeURIComponent(name)}`;
  const children = childrenOf(member, collections, facts);
  const one = reference("schemas", typeName);
  const make = operation(name, facts, refusalsByRules(member, facts));
  const related = parametersFor(member, collections, facts);
  return {
    [path]: {
      get: make("list", `list${typeName}`, {
        summary: `List ${name}`,
        description: LIST_DESCRIPTION,
        parameters: listParameters(member, related, facts),
        responses: { 200: { description: "The records", ...headers(...LIST_HEADERS), ...json(listContent(one)) } },
      }),
      post: make("create", `create${typeName}`, {
        summary: `Create a record of ${name}`,
        ...creation(member, withForm(json(bodyReference(member, "Input", facts)), member, facts)),
      }),
      patch: make("patch-many", `patchMany${typeName}`, {
        summary: `Change the records of ${name} that match`,
        parameters: [
          ...matchParameters(member, facts, writeParameters(member, "prefer-many")),
          ...parameters("idempotency-key"),
        ],
        requestBody: { required: true, ...patchContent(bodyReference(member, "Patch", facts)) },
        ...affected(one, "Idempotency-Replayed", ...ruledHeaders(member)),
      }),
      delete: make("remove-many", `deleteMany${typeName}`, {
        summary: `Delete the records of ${name} that match`,
        parameters: matchParameters(member, facts),
        ...affected(one),
      }),
    },
    [`${path}/{id}`]: {
      parameters: [idParameter(member, facts)],
      get: make("read", `get${typeName}`, {
        summary: `Get a record of ${name}`,
        parameters: [...parameters("fields", "at"), ...related, ...parameters("if-none-match")],
        responses: { 200: { description: "The record", ...headers("ETag"), ...json(one) } },
      }),
      put: make("update", `replace${typeName}`, {
        summary: `Replace a record of ${name}`,
        parameters: parameters(...writeParameters(member, "if-match", "prefer-write")),
        ...update(member, withForm(json(bodyReference(member, "Replacement", facts)), member, facts)),
      }),
      patch: make("patch", `patch${typeName}`, {
        summary: `Change fields of a record of ${name}`,
        parameters: parameters(...writeParameters(member, "if-match", "prefer-write", "idempotency-key")),
        ...update(
          member,
          withForm(patchContent(bodyReference(member, "Patch", facts)), member, facts),
          "Idempotency-Replayed",
        ),
      }),
      delete: make("remove", `delete${typeName}`, {
        summary: `Delete a record of ${name}`,
        parameters: [
          ...parameters("if-match"),
          ...dependentParameter(childrenOf(member, collections, { ...facts, byLists: false })),
        ],
        responses: { 200: { description: "It is gone", ...json({ type: "object" }) } },
      }),
    },
    ...filePaths(member, idParameter(member, facts), facts),
    ...Object.assign(
      {},
      ...children.map((child) =>
        nestedPath(member, child, { facts, related: parametersFor(child, collections, facts) }),
      ),
    ),
  };
}

interface NestedFacts {
  readonly facts: DocumentFacts;
  /** The parameters for the relations of the child. */
  readonly related: readonly JsonObject[];
}

function nestedPath(parent: DescribedMember, child: DescribedMember, { facts, related }: NestedFacts): JsonObject {
  const make = operation(child.name, facts, refusalsByRules(child, facts));
  const suffix = `${child.typeName}_of_${parent.typeName}`;
  const one = reference("schemas", child.typeName);
  return {
    [`/${encodeURIComponent(parent.name)}/{id}/${encodeURIComponent(child.name)}`]: {
      parameters: [idParameter(parent, facts)],
      get: make("list", `list${suffix}`, {
        summary: `List the ${child.name} of a record of ${parent.name}`,
        description: LIST_DESCRIPTION,
        parameters: listParameters(child, related, facts),
        responses: { 200: { description: "The children", ...headers(...LIST_HEADERS), ...json(listContent(one)) } },
      }),
      post: make("create", `create${suffix}`, {
        summary: `Create a child in ${child.name}`,
        ...creation(child, withForm(json(bodyReference(child, `Input_of_${parent.typeName}`, facts)), child, facts)),
      }),
    },
  };
}

function listParameters(member: DescribedMember, related: readonly JsonObject[], facts: DocumentFacts): JsonObject[] {
  return [
    ...filterParameters(fieldsOf(member, facts.types)),
    ...parameters("q", "or", "where", "sort", "order", "page", "limit", "start", "end", "per_page", "after", "fields"),
    ...related,
    ...parameters("group", "aggregate", "having", "at"),
    ...parameters("if-none-match", "prefer"),
  ];
}

/** The parameters that choose the records of a write. */
function matchParameters(
  member: DescribedMember,
  { types }: DocumentFacts,
  prefer: readonly string[] = ["prefer-many"],
): JsonObject[] {
  return [...filterParameters(fieldsOf(member, types)), ...parameters("q", "or", "where", "all", ...prefer)];
}

function affected(one: JsonObject, ...more: readonly string[]): JsonObject {
  const count = {
    type: "object",
    properties: { count: { type: "integer" }, ids: { type: "array", items: {} } },
    required: ["count", "ids"],
  };
  const description = "How many records were affected, and their ids; or the records, with `return=representation`";
  return {
    responses: {
      200: { description, ...headers("Preference-Applied", ...more), ...json({ oneOf: [count, listContent(one)] }) },
    },
  };
}

/** Arrays are described in text only: clients want the types of one record. */
function creation(member: DescribedMember, body: JsonObject): JsonObject {
  return {
    description: "For an array in the body, all of its records are created, and the response is an array of them.",
    parameters: parameters(...writeParameters(member, "on", "prefer-create", "idempotency-key")),
    requestBody: body,
    responses: {
      200: {
        description: "It was there already, with `Prefer: resolution`",
        ...json(reference("schemas", member.typeName)),
      },
      201: {
        description: "Created",
        ...headers("Location", "ETag", "Idempotency-Replayed", ...ruledHeaders(member)),
        ...json(reference("schemas", member.typeName)),
      },
    },
  };
}

function update(member: DescribedMember, body: JsonObject, ...more: string[]): JsonObject {
  return {
    requestBody: { required: true, ...body },
    responses: {
      200: {
        description: "The record as it is now",
        ...headers("ETag", ...more, ...ruledHeaders(member)),
        ...json(reference("schemas", member.typeName)),
      },
    },
  };
}

function idParameter(member: DescribedMember, { types }: DocumentFacts): JsonObject {
  const found = fieldsOf(member, types).find(({ name }) => name === member.idKey)?.types ?? [];
  const [only, other] = found.filter((type) => type === "integer" || type === "string");
  const type = only !== undefined && other === undefined ? only : ["integer", "string"];
  return { name: "id", in: "path", required: true, description: `Its \`${member.idKey}\`.`, schema: { type } };
}

/** The collections that refer to this one; without `byLists` only those that do so by a single key. */
function childrenOf(
  { name }: DescribedMember,
  collections: readonly DescribedMember[],
  { description: { relations }, byLists = true }: DocumentFacts & { readonly byLists?: boolean },
): DescribedMember[] {
  const incoming = relationsOf(relations, name).filter(({ to, isList }) => to === name && (byLists || !isList));
  const places = placesOf(collections);
  const found = [...new Set(incoming.map(({ from }) => places.get(from)))].filter((place) => place !== undefined);
  return found.sort((a, b) => a - b).flatMap((place) => collections[place] ?? []);
}

const knownPlaces = new WeakMap<readonly DescribedMember[], ReadonlyMap<string, number>>();

/** The position of each collection by its name; found once, however many collections ask. */
function placesOf(collections: readonly DescribedMember[]): ReadonlyMap<string, number> {
  const places = knownPlaces.get(collections) ?? new Map(collections.map(({ name }, place) => [name, place]));
  knownPlaces.set(collections, places);
  return places;
}

function parametersFor(
  member: DescribedMember,
  collections: readonly DescribedMember[],
  facts: DocumentFacts,
): JsonObject[] {
  const outgoing = relationsOf(facts.description.relations, member.name).filter(({ from }) => from === member.name);
  const parents = outgoing.filter(({ isList }) => !isList).map(parentName);
  const lists = outgoing.filter(({ isList }) => isList).map(({ to, name }) => name ?? to);
  const children = childrenOf(member, collections, facts).map(({ name }) => name);
  const isTaken = (name: string): boolean => placesOf(collections).has(name);
  return relationParameters(
    [...new Set([...children, ...parents.filter((name) => !isTaken(name))])],
    [...new Set([...parents, ...lists])],
  );
}

function dependentParameter(children: readonly DescribedMember[]): JsonObject[] {
  if (children.length === 0) return [];
  return [
    {
      name: "_dependent",
      in: "query",
      description: "Collections whose records go, too, when they refer to this one.",
      style: "form",
      explode: false,
      schema: { type: "array", items: { type: "string", enum: children.map((child) => child.name) } },
    },
  ];
}
