import type { JsonObject } from "../../base/json/json.ts";
import { type BoundCollection, type BoundOperation, isBelowRecord } from "../../openapi/bind/binding.ts";
import type { BindOverride, BindOverrides } from "../../openapi/bind/config/overrides.ts";
import { recordedReasons } from "../../openapi/bind/config/own-bindings.ts";
import { queryNames } from "../../openapi/bind/query/query-names.ts";
import { Shapes } from "../../openapi/bind/schema-shape.ts";
import { isSameNoun, plainName } from "../../openapi/bind/words.ts";
import type { ApiDocument, Operation, Parameter } from "../../openapi/read/api-document.ts";
import type { Placed, References } from "../../schema/references.ts";
import { createAction } from "./actions/action.ts";
import { bulkOf } from "./actions/bulk-effect.ts";
import { fieldBelow } from "./actions/field-effect.ts";
import { effectBelow } from "./actions/parent-effects.ts";
import { elementSchema, keyword, recordFieldsOf, schemaFields, typesOf } from "./schema-fields.ts";
import { idFormOf } from "./seeds/id-form.ts";
import { examplesOf } from "./seeds/recorded-examples.ts";
import { targetOf } from "./seeds/relations.ts";
import type { Evidence } from "./types.ts";

interface Bound {
  readonly document: ApiDocument;
  readonly collections: readonly BoundCollection[];
  readonly overrides: BindOverrides;
}

/** Explains the guesses about a collection. */
export function evidenceFor({ document, collections, overrides }: Bound, collection: BoundCollection): Evidence[] {
  const { references } = document;
  const given = overrides.collections.get(collection.name) || {};
  const recorded = recordedReasons(document, collection.name);
  return [
    ...recordedEvidence(document, collection, recorded),
    recordEvidence(collection),
    dataEvidence(references, collection),
    idEvidence(collection, given, recorded.get("id")),
    ...newIdEvidence({ references, overrides }, collection),
    ...relationEvidence({ references, collections }, collection),
    ...collection.operations.flatMap((bound) => [
      ...placeEvidence({ references, given }, collection, bound),
      ...queryEvidence(references, bound),
      ...ignoredEvidence(references, bound),
      ...recordedQueries(bound, recorded),
      ...effectEvidence(document, collection, bound),
    ]),
    ...belowEvidence({ document, collections }, collection),
  ];
}

function recordEvidence({ record, operations }: BoundCollection): Evidence {
  const from = operations.find(({ action }) => action === "read") ?? operations[0];
  return { guess: "records", value: record.place, because: `the response of ${addressOf(from)}` };
}

function dataEvidence(references: References, { operations }: BoundCollection): Evidence {
  const shown = operations.find(
    ({ action, content }) =>
      (action === "read" || action === "list") && content && examplesOf(references, content).length > 0,
  );
  return shown
    ? { guess: "data", value: "examples", because: `the example of ${addressOf(shown)}` }
    : { guess: "data", value: "generated", because: "there is no example of a list or a record" };
}

/** What the traffic of a recorded document has shown of its paths and its list. */
function recordedEvidence(
  document: ApiDocument,
  { operations }: BoundCollection,
  recorded: ReadonlyMap<string, string>,
): Evidence[] {
  const paths = [...new Set(operations.map(({ operation }) => operation.path.text))];
  const ofPaths = paths.flatMap((path): Evidence[] => {
    const because = recordedReasons(document, path).get("path");
    return because === undefined ? [] : [{ guess: "path", value: path, because }];
  });
  const because = recorded.get("list");
  const at = operations.find(({ action }) => action === "list")?.at?.join(".");
  return [...ofPaths, ...(because === undefined ? [] : [{ guess: "list" as const, value: at || "the body", because }])];
}

function recordedQueries(bound: BoundOperation, recorded: ReadonlyMap<string, string>): Evidence[] {
  if (bound.action !== "list") return [];
  return bound.operation.parameters.flatMap(({ name, role = "" }): Evidence[] => {
    const because = recorded.get(`?${name}`);
    return because === undefined ? [] : [{ guess: "query", value: `?${name} (${role})`, because, bound }];
  });
}

function idEvidence(
  { idKey, operations }: BoundCollection,
  given: BindOverride,
  recorded: string | undefined,
): Evidence {
  const evidence = (because: string): Evidence => ({ guess: "id", value: idKey, because });
  if (given.id !== undefined) return evidence("the config says so");
  if (recorded !== undefined) return evidence(recorded);
  const named = operations.find((one) => one.idParameter !== undefined && !isBelowRecord(one));
  if (!named?.idParameter) return evidence("a usual name of ids; no path names single records");
  const isSame = plainName(named.idParameter) === plainName(idKey);
  const place = `{${named.idParameter}} of ${named.operation.path.text}`;
  return evidence(isSame ? `named like ${place}` : `the closest property to ${place}`);
}

function newIdEvidence(
  bound: { readonly references: References; readonly overrides: BindOverrides },
  collection: BoundCollection,
): Evidence[] {
  const form = idFormOf(bound, collection);
  if (form) return [{ guess: "new ids", value: form.text, because: form.because }];
  const { references } = bound;
  const { record, idKey } = collection;
  const schema = recordFieldsOf(references, record)?.properties.get(idKey);
  if (!schema) return [];
  const evidence = (value: string, because: string): Evidence[] => [{ guess: "new ids", value, because }];
  const types = typesOf(references, schema);
  if (types.includes("integer") || types.includes("number")) return evidence("counted", `type ${types.join(", ")}`);
  const [format, pattern] = ["format", "pattern"].map((name) => keyword(references, schema, name));
  if (typeof pattern === "string") return evidence("by the pattern", pattern);
  if (typeof format === "string") return evidence("by the format", format);
  return evidence("random text", types.includes("string") ? "type string" : "no type");
}

function relationEvidence(
  bound: { readonly references: References; readonly collections: readonly BoundCollection[] },
  { record, idKey }: BoundCollection,
): Evidence[] {
  const fields = recordFieldsOf(bound.references, record)?.properties ?? new Map<string, Placed>();
  return [...fields].flatMap(([field, schema]): Evidence[] => {
    const target = field === idKey ? undefined : targetOf(bound, field, schema);
    if (target === undefined) return [];
    // Without a name, the schema alone decides.
    const isHeld = targetOf(bound, "", schema) === target;
    const because = isHeld ? "its schema allows an id or such a record" : "named like them";
    return [{ guess: "relation", value: `${field} -> ${target}`, because }];
  });
}

function placeEvidence(
  { references, given }: { readonly references: References; readonly given: BindOverride },
  { path }: BoundCollection,
  bound: BoundOperation,
): Evidence[] {
  const { action, at } = bound;
  const name = at?.at(-1);
  if (name === undefined || !at || (action !== "list" && action !== "read")) return [];
  const isGiven = (action === "list" ? given.at : given.itemAt) !== undefined;
  const because = isGiven
    ? "the config says so"
    : isSameNoun(name, segmentOf(path))
      ? "named like the path"
      : isOnlyPart(references, bound, at)
        ? `the only ${action === "list" ? "list" : "object"} there`
        : "a usual name";
  return [{ guess: "place", value: at.join("."), because, bound }];
}

/** Whether nothing beside a property of a body could be the list, or the record. */
function isOnlyPart(references: References, { action, content }: BoundOperation, at: readonly string[]): boolean {
  let around = content?.schema;
  for (const name of at.slice(0, -1)) around = around && schemaFields(references, around)?.properties.get(name);
  const parts = [...((around && schemaFields(references, around)?.properties) ?? [])].filter(([, schema]) =>
    action === "list"
      ? elementSchema(references, schema) !== undefined
      : schemaFields(references, schema) !== undefined,
  );
  return parts.length === 1 && parts[0]?.[0] === at.at(-1);
}

/** The parameters whose names leave open what they mean. */
function queryEvidence(references: References, bound: BoundOperation): Evidence[] {
  return bound.parameters.flatMap(({ name, role }): Evidence[] => {
    const evidence = (because: string): Evidence[] => [{ guess: "query", value: `?${name} (${role})`, because, bound }];
    const schema = bound.operation.parameters.find((parameter) => parameter.name === name)?.schema;
    const says = (key: string) => schema && keyword(references, schema, key);
    if (role === "pageIndex" && plainName(name) === "page") {
      const zero = ["minimum", "default"].find((key) => says(key) === 0);
      return evidence(zero ? `its ${zero} is 0` : "its description counts from 0");
    }
    const isOther =
      (role === "sort" && /order$/i.test(name)) || (role === "order" && /^sort(?:by)?$/i.test(plainName(name)));
    return isOther ? evidence(says("enum") === undefined ? "its description" : "the values of its enum") : [];
  });
}

/** The parameters of a list that change nothing: those to correct, if one of them should. */
function ignoredEvidence(references: References, bound: BoundOperation): Evidence[] {
  if (bound.action !== "list") return [];
  const shapes = new Shapes(references);
  const known = new Set(bound.parameters.map(({ name }) => name));
  const isIgnored = (parameter: Parameter): boolean =>
    parameter.in === "query" && queryNames(shapes, { parameters: [parameter] }).every(({ name }) => !known.has(name));
  const names = bound.operation.parameters.filter(isIgnored).map(({ name }) => `?${name}`);
  if (names.length === 0) return [];
  return [
    { guess: "ignored", value: names.join(", "), because: "the document names no field or page for them", bound },
  ];
}

function effectEvidence(document: ApiDocument, collection: BoundCollection, bound: BoundOperation): Evidence[] {
  if (bound.action !== "act" && bound.action !== "end") return [];
  const value = changesText(createAction({ document, now: () => 0 }, collection, bound)(undefined));
  const because = value === "" ? "no field fits its name" : "fields and values of the record that its name leads to";
  return [{ guess: "effect", value: value || "what is sent", because, bound }];
}

/** Operations that change a record of the collection, although they send something else. */
function belowEvidence({ document, collections }: Omit<Bound, "overrides">, collection: BoundCollection): Evidence[] {
  const bound = new Set(collections.flatMap(({ operations }) => operations.map(({ operation }) => operation)));
  return document.operations.flatMap((operation): Evidence[] => {
    if (operation.method === "GET" || bound.has(operation)) return [];
    const own = { document, collections: [collection], now: () => 0 };
    const found = changesBelow(own, operation);
    if (!found) return [];
    const value = `${operation.method} ${operation.path.text}: ${found.changes}`;
    return [{ guess: "effect", value, because: `${found.of}; its response is another` }];
  });
}

/** What an operation changes, and in which records. */
function changesBelow(
  tools: Parameters<typeof effectBelow>[0],
  operation: Operation,
): { readonly changes: string; readonly of: string } | undefined {
  const above = "the record above, by its name";
  const named = effectBelow(tools, operation);
  if (named) return { changes: changesText(named.effect()), of: above };
  const ofField = fieldBelow(tools, operation);
  if (ofField) return { changes: `${ofField.deed} ${ofField.field}`, of: above };
  const ofSeveral = bulkOf(tools, operation);
  if (!ofSeveral) return undefined;
  const { deed, sentIn } = ofSeveral;
  const changes = deed === "remove" ? "removed" : changesText(deed()) || "what is sent";
  return { changes, of: `the records whose ids are in ${sentIn ?? "its body"}` };
}

function changesText(changes: JsonObject): string {
  const texts = Object.entries(changes).map(([field, to]) => {
    const isTime = to !== null && typeof to !== "boolean" && !/^(?:status|state)$/i.test(field);
    return `${field} = ${isTime ? "now" : JSON.stringify(to)}`;
  });
  return texts.join(", ");
}

/** The last fixed segment. */
function segmentOf(path: string): string {
  return path.split("/").findLast((segment) => !segment.startsWith("{")) ?? "";
}

function addressOf(bound: BoundOperation | undefined): string {
  return bound ? `${bound.operation.method} ${bound.operation.path.text}` : "";
}
