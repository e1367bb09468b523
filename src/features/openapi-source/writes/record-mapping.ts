import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { findAlike, nounOf, plainName } from "../../../openapi/bind/words.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { randomId } from "../../../store/ids.ts";
import type { Store } from "../../../store/store.ts";
import { once } from "../once.ts";
import type { OperationContext } from "../operation-context.ts";
import { recordNamed } from "../parents/field-lookup.ts";
import { EXPAND } from "../responses/expand.ts";
import {
  branchesOf,
  elementSchema,
  hasMembers,
  isMap,
  keyword,
  memberSchema,
  recordFieldsOf,
  type SchemaFields,
  schemaFields,
  typesOf,
} from "../schema-fields.ts";
import { recordsInExamples } from "../seeds/recorded-examples.ts";
import { bareNames, lastWord } from "./bare-names.ts";
import { type Fitting, fitValue } from "./fit-value.ts";
import { fieldParameters } from "./query-fields.ts";
import { sentHolder } from "./sent-holder.ts";

/** Gives the record of a request the names and forms that records have in responses. */
export type RecordMapping = (body: JsonObject, store: Store) => Promise<JsonObject>;

interface FieldPlan {
  /** Undefined for what a request says about its response. */
  readonly target: string | undefined;
  /** The schema that the value has to fit; undefined where it does already. */
  readonly schema: Placed | undefined;
  /** Whether requests describe the field otherwise than records, so that a value which does not fit is left out. */
  readonly isOther: boolean;
}

const LEFT_OUT: FieldPlan = { target: undefined, schema: undefined, isOther: false };

/** `tag_name` is the name of a tag, where tags have one beside their id. */
function nameFor(keys: readonly string[], name: string): string | undefined {
  return plainName(name).endsWith("name") ? findAlike(keys, "name") : undefined;
}

/** The names that a request may have for the id of a new record. */
function namesOfId(noun: string): string[] {
  return [`${noun}id`, "name", `${noun}name`, `new${noun}name`];
}

/** The names that a request may have for another key of a record: `new_name`. */
export function namesOfNewKey({ name, idKey, ownKey }: BoundCollection): string[] {
  const key = plainName(idKey);
  return ownKey === undefined ? [] : [`new${key}`, `new${nounOf(name)}${key}`];
}

/** Short names of sent fields that records have in full. */
const SHORT = new Map([
  ["desc", "description"],
  ["addr", "address"],
  ["qty", "quantity"],
  ["msg", "message"],
  ["img", "image"],
  ["org", "organization"],
]);

/** Objects this deep are not looked at for fields of the server. */
const MAX_DEPTH = 3;

/** Prepares the mapping of an operation's request bodies. Each field is looked at when it is first sent. */
export function createRecordMapping(
  tools: Pick<OperationContext, "document" | "sample" | "passes" | "collections" | "now">,
  collection: BoundCollection,
  bound: BoundOperation,
): RecordMapping {
  const { references } = tools.document;
  const record = recordFieldsOf(references, collection.record);
  const bare = bareNames(collection);
  const asked = requestFields(references, bound);
  const sent = asked && {
    ...asked,
    properties: new Map([...asked.properties].map(([name, one]) => [bare(name), one])),
  };
  const hasBrackets = [...(asked?.properties.keys() ?? [])].some((name) => bare(name) !== name);
  const isNew = bound.action === "create";
  const isIdSent = sent === undefined || sent.properties.has(collection.idKey);
  // `commit_id` is the id of a new commit, and the name of a branch that has no other.
  const ownId = isNew
    ? isIdSent
      ? undefined
      : { names: namesOfId(nounOf(lastWord(collection.path))), key: collection.idKey }
    : { names: namesOfNewKey(collection), key: collection.idKey };
  const plans = new Map<string, FieldPlan>();
  const planFor = (name: string): FieldPlan => {
    let plan = plans.get(name);
    if (!plan) {
      plan = record
        ? planOf(references, { name, record, sent, ownId })
        : { target: name, schema: undefined, isOther: false };
      plans.set(name, plan);
    }
    return plan;
  };
  const example = once(() => exampleOf(references, collection));
  const partsOf = (body: JsonObject, fitting: Fitting): JsonObject =>
    record ? partsNamedBy(references, body, { record, sent, fitting }) : {};
  const holder = sentHolder(references, record, { fields: sent, schema: sentSchema(references, bound) });
  return async (given, store) => {
    const read = hasBrackets
      ? Object.fromEntries(Object.entries(given).map(([name, value]) => [bare(name), value]))
      : given;
    const body = holder !== undefined && !Object.hasOwn(read, holder) ? held(read, holder, record) : read;
    const names = Object.keys(body);
    const isPlain = !isNew || names.every((name) => record?.properties.has(name) ?? true);
    if (isPlain && names.every((name) => planFor(name).schema === undefined && planFor(name).target === name))
      return body;
    const recordsAt = (place: string) => tools.collections.find((one) => references.follow(one.record).place === place);
    const wanted: { of: BoundCollection; key: string; put(record: Json): void }[] = [];
    const fitting: Fitting = {
      references,
      sample: tools.sample,
      passes: tools.passes,
      now: tools.now,
      idKeyOf: (schema) => recordsAt(schema.place)?.idKey,
      saltFor: (schema) => (recordsAt(schema.place) ? `/${randomId()}` : ""),
      madeFor: (schema, id, put) => {
        const of = recordsAt(schema.place);
        if (of) wanted.push({ of, key: String(id), put });
      },
    };
    const mapped: JsonObject = isNew ? partsOf(body, fitting) : {};
    for (const name of names) {
      const { target, schema, isOther } = planFor(name);
      if (target === undefined || (target !== name && Object.hasOwn(body, target))) continue;
      const value = body[name]!;
      // Null and empty texts may unset a field.
      const shown = example()?.[target];
      const fitted = schema && value !== null && value !== "" ? fitValue(schema, value, { ...fitting, shown }) : value;
      if (fitted !== undefined) mapped[target] = fitted;
      else if (!isOther || (schema && isOfType(references, schema, value))) mapped[target] = value;
    }
    for (const { of, key, put } of wanted) {
      const found = await recordNamed(store, of, { key });
      if (found) put(found.value);
    }
    return mapped;
  };
}

/** Parts of a new record that a request names by one of their fields: `user` with its `username`, `owner` by `ownerId`. */
function partsNamedBy(
  references: References,
  body: JsonObject,
  {
    record,
    sent,
    fitting,
  }: { readonly record: SchemaFields; readonly sent: SchemaFields | undefined; readonly fitting: Fitting },
): JsonObject {
  const parts: JsonObject = {};
  for (const [name, value] of Object.entries(body)) {
    if (findAlike(record.properties.keys(), name) !== undefined || typeof value === "object") continue;
    for (const [part, schema] of record.properties) {
      const isNamed = plainName(name).startsWith(plainName(part)) && !sent?.properties.has(part);
      const fields = isNamed && !Object.hasOwn(body, part) ? schemaFields(references, schema)?.properties : undefined;
      const rest = plainName(name).slice(plainName(part).length);
      const field = fields && (findAlike(fields.keys(), name) ?? findAlike(fields.keys(), rest));
      const fitted =
        field === undefined ? undefined : fitValue(schema, field === "id" ? value : { [field]: value }, fitting);
      if (fitted !== undefined) parts[part] = fitted;
    }
  }
  return parts;
}

/** A record of the document's examples. */
function exampleOf(references: References, { operations }: BoundCollection): JsonObject | undefined {
  const shown = operations.filter(({ action }) => action === "read" || action === "list" || action === "create");
  return shown.flatMap((one) => recordsInExamples(references, one).slice(0, 1))[0];
}

/** `{ "title": "Tea" }` are the attributes of a record that has its fields there; those that it has besides repeat them. */
function held(sent: JsonObject, holder: string, record: SchemaFields | undefined): JsonObject {
  const repeated = Object.entries(sent).filter(([name]) => record?.properties.has(name));
  return { ...Object.fromEntries(repeated), [holder]: sent };
}

/** The schema of the record in a request. */
function sentSchema(references: References, { requestContent, requestAt }: BoundOperation): Placed | undefined {
  return requestAt.reduce(
    (schema: Placed | undefined, name) => schema && recordFieldsOf(references, schema)?.properties.get(name),
    requestContent?.schema,
  );
}

/** The fields that a request may have, where its record stands. */
export function requestFields(references: References, bound: BoundOperation): SchemaFields | undefined {
  const schema = sentSchema(references, bound);
  return schema && recordFieldsOf(references, schema);
}

/** The fields that a request for a new record may have, by plain names; undefined where that is not said. */
export function creatableFields(
  references: References,
  collection: BoundCollection,
): ReadonlyMap<string, Placed> | undefined {
  const created = ["create", "add"].flatMap(
    (one) => collection.operations.find(({ action }) => action === one) ?? [],
  )[0];
  // Without a body, all fields are the server's, except those that the query has.
  if (created && !created.operation.requestBody) {
    const queried = fieldParameters(references, collection, created);
    return new Map(queried.flatMap(({ name, schema }) => (schema ? [[plainName(name), schema]] : [])));
  }
  const fields = created && requestFields(references, created);
  const bare = bareNames(collection);
  return fields && new Map([...fields.properties].map(([name, schema]) => [plainName(bare(name)), schema]));
}

/** Fields that a request declares and may set, although records may call them read-only: the `status` of a change. */
export function settableFields(
  references: References,
  { idKey }: Pick<BoundCollection, "idKey">,
  bound: BoundOperation,
): ReadonlySet<string> {
  const properties = requestFields(references, bound)?.properties ?? new Map<string, Placed>();
  // The example of a request for a new record has the id if clients choose it, whatever its schema says.
  const example = bound.action === "create" ? bound.requestContent?.examples[0]?.value : undefined;
  const shown = example === undefined ? undefined : valueAtPointer(example, bound.requestAt);
  const isShown = (name: string): boolean => name === idKey && isJsonObject(shown) && Object.hasOwn(shown, name);
  return new Set(
    [...properties].flatMap(([name, schema]) =>
      isShown(name) || keyword(references, schema, "readOnly") !== true ? [name] : [],
    ),
  );
}

function planOf(
  references: References,
  {
    name,
    record,
    sent,
    ownId,
  }: {
    readonly name: string;
    readonly record: SchemaFields;
    readonly sent: SchemaFields | undefined;
    /** The names of fields that have the id of a new record, and the one that records have for it. */
    readonly ownId: { readonly names: readonly string[]; readonly key: string } | undefined;
  },
): FieldPlan {
  // `permission` may be sent several times, and records have `permissions`.
  const isList = (key: string): boolean => elementSchema(references, record.properties.get(key)!) !== undefined;
  const keys = [...record.properties.keys()];
  const target =
    findAlike(keys, name) ??
    findAlike(keys, `${name}s`, isList) ??
    findAlike(keys, SHORT.get(plainName(name)) ?? "") ??
    (ownId?.names.includes(plainName(name)) ? (nameFor(keys, name) ?? ownId.key) : undefined);
  const schema = target === undefined ? undefined : record.properties.get(target);
  if (target === undefined && name === EXPAND && sent?.properties.has(name)) return LEFT_OUT;
  if (target === undefined || !schema) return { target: name, schema: undefined, isOther: false };
  const given = sent?.properties.get(name);
  const isOther = given === undefined ? sent !== undefined : isElse(references, given, schema);
  const isFree =
    isMap(references, schema) &&
    !hasMembers(references, schema) &&
    typesOf(references, given ?? schema).includes("object");
  const isLacking = isOther ? !isFree : hasFieldsOfServer(references, schema, 0);
  return { target, schema: isLacking ? schema : undefined, isOther };
}

function isElse(references: References, given: Placed, schema: Placed): boolean {
  return references.follow(given).value !== references.follow(schema).value;
}

/** Whether a text or number breaks no more than a detail of its schema, such as its length: it is stored as it was meant. */
function isOfType(references: References, schema: Placed, value: Json): boolean {
  return branchesOf(references, schema).some((branch) => {
    const types = typesOf(references, branch).map((type) => (type === "integer" ? "number" : type));
    return (
      types.includes(typeof value) && typeof value !== "object" && keyword(references, branch, "enum") === undefined
    );
  });
}

/** Whether objects in a value have fields that no request has. */
function hasFieldsOfServer(references: References, schema: Placed, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  return branchesOf(references, schema).some((branch) => {
    const element = elementSchema(references, branch) ?? memberSchema(references, branch);
    if (element) return hasFieldsOfServer(references, element, depth + 1);
    const properties = schemaFields(references, branch)?.properties;
    return [...(properties?.values() ?? [])].some(
      (one) => keyword(references, one, "readOnly") === true || hasFieldsOfServer(references, one, depth + 1),
    );
  });
}
