import { isJsonObject } from "../../base/json/json.ts";
import { valueAtPointer } from "../../schema/pointer.ts";
import type { Operation } from "../read/api-document.ts";
import type { Action, BoundOperation, BoundParameter, EnvelopeField } from "./binding.ts";
import { jsonContent, successOf } from "./bodies/bodies.ts";
import type { RequestSpot } from "./bodies/operation-spots.ts";
import type { RecordSpot } from "./bodies/record-spots.ts";
import type { Candidate } from "./candidate.ts";
import { envelopeOf, hasNumberedPages, headerRoles } from "./query/envelope-roles.ts";
import { listedValues } from "./query/leaves.ts";
import { asTokens, countedAlike, declaredQuery, fromNumber, fromZero, withCursors } from "./query/paging-agreement.ts";
import { parameterRoles } from "./query/parameter-roles.ts";
import { totalsParameter } from "./query/totals-parameter.ts";
import type { ParameterRole } from "./roles.ts";
import type { SchemaShape, Shapes } from "./schema-shape.ts";

/** A bound operation whose parents are not known yet. */
export type Draft = Omit<BoundOperation, "parents">;
export type BindingOutcome = { readonly draft: Draft } | { readonly operation: Operation; readonly why: string };

/** An operation whose meaning is known. */
export interface Reading {
  readonly operation: Operation;
  readonly action: Action;
  readonly spot: RecordSpot | undefined;
  readonly request?: RequestSpot | undefined;
}

export function draft(
  shapes: Shapes,
  candidate: Candidate,
  { operation, action, spot: told, request }: Reading,
): Draft {
  const assumed = candidate.assumed?.get(operation);
  const success = successOf(operation) ?? (assumed ? assumedSuccess(action) : NOTHING);
  const content = assumed ?? jsonContent(success.contents);
  const spot = told ?? (assumed && { ...WHOLE_BODY, shape: candidate.record });
  const found = action === "list" ? envelopeOf(shapes, content, spot?.at ?? []) : [];
  const roles = action === "list" ? parameterRoles(shapes, operation, candidate) : [];
  const named = roles.map(asTokens(shapes, operation, { around: found, content }));
  const around = withCursors(shapes, content, { around: found, parameters: named });
  const declared = [
    ...named,
    ...startOfNext(shapes, { operation, content, around, named }),
    ...namedLikeNext(operation, { around, named }),
  ];
  const numbered = hasNumberedPages(shapes, content, around) ? declared.map(fromNumber) : declared;
  const turned = around.some(({ role }) => role === "pageIndex") ? numbered.map(fromZero(operation)) : numbered;
  const headers = action === "list" ? [...headerRoles(success.headers), ...toldHeaders(operation, turned)] : [];
  const body = content?.schema && shapes.of(content.schema);
  const hasHeaders = headers.some(({ role }) => role === "total" || role === "pages");
  const totals = totalsParameter(shapes, { operation, body, around, parameters: turned, hasHeaders });
  const parameters = [...turned, ...totals];
  return {
    operation,
    action,
    ...addressOf(candidate, action, operation),
    success,
    content,
    at: spot?.at,
    isListOfOne: action !== "list" && spot?.isList === true,
    wrapper: spot?.wrapper,
    view: spot?.ids ?? spot?.shape.schema,
    showsIds: spot?.ids !== undefined,
    requestContent: request?.content,
    requestAt: request?.spot.at ?? [],
    valueField: request && request.share > 0 ? undefined : valueFieldOf(shapes, candidate, { operation, action }),
    kept: request ? keptBy(shapes, candidate, request) : [],
    requires: request ? requiredBy(shapes, candidate, request) : [],
    envelope: countedAlike(around, parameters, operation),
    headers,
    parameters,
    why: reasonFor(candidate, action, { spot, request }),
  };
}

const TURNS: readonly ParameterRole[] = ["page", "pageIndex", "offset", "position", "cursor"];

/** `nextPageKey`, which is called as the field around the list that has the next one. */
function namedLikeNext(
  operation: Operation,
  { around, named }: { readonly around: readonly EnvelopeField[]; readonly named: readonly BoundParameter[] },
): BoundParameter[] {
  if (named.some(({ role }) => TURNS.includes(role))) return [];
  const next = around.find(({ role }) => role === "nextCursor")?.path.at(-1);
  return operation.parameters.flatMap(({ name, in: at }): BoundParameter[] =>
    at === "query" && name === next && named.every((one) => one.name !== name) ? [{ name, role: "cursor" }] : [],
  );
}

/** `start`, which nothing but the address of the next page tells to be a token: "/orders?start=Mg". */
function startOfNext(
  shapes: Shapes,
  {
    operation,
    content,
    around,
    named,
  }: Pick<Draft, "operation" | "content"> & {
    readonly around: readonly EnvelopeField[];
    readonly named: readonly BoundParameter[];
  },
): BoundParameter[] {
  const next = around.find(({ role }) => role === "nextUrl");
  const start = operation.parameters.find(({ name, in: at }) => at === "query" && name === "start");
  const isText = start?.schema !== undefined && shapes.of(start.schema).types.has("string");
  if (!next || !isText || named.some(({ name, role }) => name === "start" || TURNS.includes(role))) return [];
  const schema = content?.schema && shapes.inside(shapes.of(content.schema), next.path)?.schema.value;
  const shown = (content?.examples ?? []).map(({ value }) => valueAtPointer(value, next.path));
  const addresses = isJsonObject(schema) ? [schema.example, schema.description, ...shown] : shown;
  const isShown = addresses.some((one) => typeof one === "string" && /[?&]start=/.test(one));
  const { description = "" } = operation;
  const isTold = /\bnext\b/i.test(description) && /\bstart`? (?:query )?param/i.test(description);
  return isShown || isTold ? [{ name: "start", role: "cursor" }] : [];
}

/** Headers of which only the parameter that takes them tells: "from the response headers `X-Cursor-Next` or `X-Cursor-Prev`". */
function toldHeaders(operation: Operation, bound: readonly BoundParameter[]): BoundOperation["headers"] {
  const { parameters, responses } = operation;
  const counted = parameters.flatMap(({ in: at, description = "" }) =>
    at === "query" ? (/['"`]([\w-]*Total-Count)['"`] header\b/i.exec(description)?.[1] ?? []) : [],
  );
  const known = responses.flatMap(({ headers }) => headerRoles(headers)).map(({ name }) => name.toLowerCase());
  const isKnown = (name: string): boolean => known.includes(name.toLowerCase());
  const totals = counted.filter((name) => !isKnown(name)).map((name) => ({ name, role: "total" as const }));
  const cursor = bound.find(({ role }) => role === "cursor");
  const { description = "" } = declaredQuery(operation, cursor?.name) ?? {};
  if (!/\bheaders?\b/i.test(description)) return totals;
  const names = [...description.matchAll(/\bX-[\w-]*\b(?:Next|Prev(?:ious)?)\b/gi)].map(([name]) => name);
  const cursors = [...new Set(names)].filter((name) => !isKnown(name));
  const ofCursors = cursors.map((name): BoundOperation["headers"][number] => {
    return { name, role: /next$/i.test(name) ? "nextCursor" : "previousCursor" };
  });
  return [...totals, ...ofCursors];
}

/** An assumed body is nothing but the record. */
const WHOLE_BODY = { at: [], isList: false, isNamed: true, rank: 0 } as const;

/** The wildcard that names the record: the last one of its path, unless that is no id. */
function addressOf(
  { keyPath, form }: Candidate,
  action: Action,
  { path }: Operation,
): Pick<Draft, "idParameter" | "keys"> {
  const last = path.names.at(-1);
  const isNone = action === "list" || action === "create" || form === "single" || last === undefined;
  if (isNone) return { idParameter: undefined, keys: [] };
  return keyPath
    ? { idParameter: undefined, keys: [{ parameter: last, path: keyPath }] }
    : { idParameter: last, keys: [] };
}

/** For operations that have no successful response. */
const NOTHING = {
  code: "204",
  status: 204,
  range: undefined,
  headers: [],
  contents: [],
  place: "",
} satisfies BoundOperation["success"];

/** The same, where they have a body for sure. */
function assumedSuccess(action: Action): BoundOperation["success"] {
  const status = action === "create" ? 201 : 200;
  return { ...NOTHING, code: String(status), status };
}

/** The field that a body stands for which is no object: the only one beside the id, one with the same values, or `value`. */
function valueFieldOf(
  shapes: Shapes,
  { record, idKey }: Candidate,
  { operation: { requestBody }, action }: Pick<Reading, "operation" | "action">,
): string | undefined {
  if (!["create", "add", "replace", "patch"].includes(action)) return undefined;
  const content = jsonContent(requestBody?.contents) ?? requestBody?.contents.find(({ type }) => /^text\//.test(type));
  const sent = content && (content.schema ? shapes.of(content.schema) : undefined);
  if (!content || sent?.kind === "object" || sent?.kind === "array" || sent?.kind === "mixed") return undefined;
  const fields = [...record.properties.keys()].filter(
    (name) => name !== idKey && shapes.property(record, name)?.isReadOnly !== true,
  );
  const [only, other] = fields;
  if (only !== undefined && other === undefined) return only;
  const listed = (shape: SchemaShape | undefined): string => (shape ? listedValues(shape).join("\n") : "");
  const values = listed(sent);
  const alike = fields.find((name) => values !== "" && listed(shapes.property(record, name)) === values);
  return alike ?? VALUE_FIELDS.find((name) => fields.includes(name));
}

const VALUE_FIELDS = ["value", "content", "raw", "text", "body", "source", "data"];

function keptBy(shapes: Shapes, { record, idKey }: Candidate, { spot }: RequestSpot): string[] {
  if (spot.shape.properties.size === 0) return [];
  return [...record.properties.keys()].filter((name) => {
    if (name === idKey) return false;
    return !spot.shape.properties.has(name) || shapes.property(record, name)?.isReadOnly === true;
  });
}

function requiredBy(shapes: Shapes, { record, idKey }: Candidate, { spot }: RequestSpot): string[] {
  return [...spot.shape.required].filter(
    (name) => name !== idKey && record.properties.has(name) && shapes.property(record, name)?.isReadOnly !== true,
  );
}

function reasonFor(
  { idKey }: Candidate,
  action: Action,
  { spot, request }: { readonly spot: RecordSpot | undefined; readonly request: RequestSpot | undefined },
): string {
  const place = spot && (spot.at.length === 0 ? "is the body" : `in ${spot.at.join(".")}`);
  const wrapped = spot?.wrapper ? `, each record in ${spot.wrapper.at.join(".")}` : "";
  if (action === "list") return `list ${place}${wrapped}`;
  const parts = [
    ...(spot ? [`record ${place}${spot.isList ? `, as a list of one${wrapped}` : ""}`] : []),
    ...(request && request.spot.at.length > 0 ? [`sent in ${request.spot.at.join(".")}`] : []),
  ];
  return parts.join(", ") || (action === "create" ? "a new record" : `by ${idKey}`);
}
