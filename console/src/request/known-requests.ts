import { useEffect, useState } from "preact/hooks";
import { askJson } from "../api/ask.ts";
import { isJsonObject, type Json, type JsonObject } from "../api/json.ts";
import { useOverview } from "../api/use-overview.ts";
import type { RequestDraft } from "./request-draft.ts";

/** An operation of the API, as far as it helps to write a request. */
export interface KnownOperation {
  readonly method: string;
  /** With wildcards: `/products/{id}`. */
  readonly path: string;
  readonly parameters: readonly KnownParameter[];
}

export interface KnownParameter {
  readonly name: string;
  readonly place: string;
  /** The values to choose from. */
  readonly values: readonly string[];
}

/** The operations of the API's description; none where there is no description. */
export function useKnownRequests(): readonly KnownOperation[] {
  const { members } = useOverview();
  const [known, setKnown] = useState<readonly KnownOperation[]>([]);
  const names = members.map(({ name }) => name).join(" ");
  useEffect(() => {
    if (names === "") return;
    const setRead = (root: JsonObject): void => setKnown(knownOperations(root));
    askJson<JsonObject>("GET", "/__openapi.json").then(setRead, () => undefined);
  }, [names]);
  return known;
}

export function knownOperations(root: JsonObject): KnownOperation[] {
  const base = basePathOf(root);
  return entriesOf(root.paths).flatMap(([path, item]) =>
    entriesOf(item).flatMap(([method, operation]) => {
      if (method === "parameters" || !isJsonObject(operation)) return [];
      const listed = [...listOf((item as JsonObject).parameters), ...listOf(operation.parameters)];
      const parameters = listed.map((one) => parameterOf(followed(root, one)));
      return [{ method: method.toUpperCase(), path: `${base}${path}`, parameters }];
    }),
  );
}

/** The parameters that a draft may have: those of the operation with its method and path. */
export function parametersFor(known: readonly KnownOperation[], { method, path }: RequestDraft): KnownParameter[] {
  const [address = ""] = path.split("?", 1);
  const isAt = (operation: KnownOperation): boolean => operation.method === method && matches(operation.path, address);
  return known.filter(isAt).flatMap(({ parameters }) => parameters);
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split("/"), path.split("/")];
  return wanted.length === given.length && wanted.every((part, at) => part === given[at] || part.startsWith("{"));
}

function parameterOf(parameter: JsonObject): KnownParameter {
  const { schema, description } = parameter;
  const choices = isJsonObject(schema) ? listOf(schema.enum) : [];
  const name = String(parameter.name ?? "");
  // As the views write filters: `price:gte`.
  const field = /^`([^`]+)` (?:is|matches)/.exec(String(description ?? ""))?.[1];
  const isOldFilter = field !== undefined && name.startsWith(`${field}_`);
  return {
    name: isOldFilter ? `${field}:${name.slice(field.length + 1)}` : name,
    place: String(parameter.in ?? ""),
    values: choices.map(String),
  };
}

function basePathOf({ servers }: JsonObject): string {
  const [first] = listOf(servers);
  const url = isJsonObject(first) ? String(first.url ?? "") : "";
  return url.replace(/^https?:\/\/[^/]*/, "").replace(/\/$/, "");
}

function followed(root: JsonObject, value: Json): JsonObject {
  if (!isJsonObject(value)) return {};
  const { $ref } = value;
  if (typeof $ref !== "string" || !$ref.startsWith("#/")) return value;
  let found: Json | undefined = root;
  for (const step of $ref.slice(2).split("/")) {
    found = isJsonObject(found) ? found[step.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  return isJsonObject(found) ? found : {};
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
