import { isJsonObject, type Json, stringifyJson } from "../../../base/json/json.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { RECORDED_REASONS } from "../../../openapi/bind/config/own-bindings.ts";
import type { MediaContent } from "../../../openapi/read/api-document.ts";
import { valueAtPointer } from "../../../schema/pointer.ts";
import type { Placed, References } from "../../../schema/references.ts";
import type { Rendering, StoredRecord } from "../../../store/stored-record.ts";
import { createEnvelope, type Envelope } from "../lists/envelope.ts";
import { once } from "../once.ts";
import type { OperationContext } from "../operation-context.ts";
import { leavesOf, schemaFields, typesOf } from "../schema-fields.ts";
import { recordsInExamples } from "../seeds/recorded-examples.ts";
import { markFields } from "../writes/new-parents.ts";
import { FILES_FIELD, fileFields, takesForms } from "./download.ts";
import { createElement, type WrapElement } from "./element.ts";
import { createFixedHeaders } from "./fixed-headers.ts";
import { createNewRecordNotice, type NewRecordNotice } from "./new-record-notice.ts";
import { ofRemoval, removedView } from "./removed-view.ts";
import type { BodyCheck, FindViolations, RecordCheck } from "./response-watch.ts";
import { secretFields, shownOnceFields } from "./secret-fields.ts";
import { createSelfLinks } from "./self-links.ts";
import { sentOnlyFields } from "./sent-only-fields.ts";
import { createView } from "./view.ts";
import { withoutFailures } from "./without-failures.ts";

/** How the response of a bound operation presents records. Everything that does not depend on a request is prepared. */
export interface Presentation {
  readonly status: number;
  /** The end of its tags. */
  readonly mark: string;
  /** Headers that are the same every time. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of Content-Type; undefined for plain JSON. */
  readonly type: string | undefined;
  /** Whether there is a body at all. */
  readonly hasBody: boolean;
  readonly envelope: Envelope | undefined;
  /** Whether one record is sent as a list. */
  readonly isListOfOne: boolean;
  /** Puts the text of a record into the element of a list that holds it; undefined where it is the element. */
  readonly element: WrapElement | undefined;
  /** Renders the elements of a list. */
  readonly rendering: Rendering | undefined;
  /** The same body every time, where the document's does not hold a record. */
  readonly fixed: string | undefined;
  /** The same with the id or the address of a new record in it. */
  readonly noticeOfNew: NewRecordNotice | undefined;
  /** A record as the response shows it. */
  textOf(record: StoredRecord): string;
  /** Checks records as they are shown. */
  watch(records: readonly StoredRecord[]): void;
  /** Checks a whole body now and then, and returns it. */
  checked(json: string): string;
  /** The body with the address of the server in links that lead to it. */
  placed(json: string, baseUrl: string): string;
}

export function createPresentation(
  tools: OperationContext,
  collection: BoundCollection,
  bound: BoundOperation,
): Presentation {
  const { document, watch } = tools;
  const { references } = document;
  const { operation, success, content } = bound;
  const isOfRemoval = bound.action === "remove";
  const isOfWrite = isOfRemoval || bound.action === "create";
  const notice = isOfWrite && bound.at === undefined ? noticeOf(tools, collection, content) : undefined;
  const at = notice ? [] : bound.at;
  const declared = notice ?? bound.view ?? collection.record;
  const view = isOfRemoval ? removedView(references, declared, collection.record) : declared;
  const hidden = [
    ...hiddenFields(collection),
    ...secretFields(references, collection),
    ...(bound.action === "create" ? [] : shownOnceFields(references, collection)),
    ...sentOnlyFields(references, collection, view),
  ];
  const areTexts = bound.showsIds && typesOf(references, view).includes("string");
  // What its path takes may be a field in a part: `metadata.name`.
  const keyPath = collection.operations.find(({ action }) => action === "read")?.keys[0]?.path;
  const idOfShown = (value: Json): Json => {
    const held = keyPath && isJsonObject(value) ? valueAtPointer(value, keyPath) : undefined;
    const id = held ?? (isJsonObject(value) ? value[collection.idKey] : undefined) ?? value;
    return areTexts && typeof id === "number" ? String(id) : id;
  };
  const links = bound.showsIds || !content || at === undefined ? undefined : createSelfLinks(tools, collection, bound);
  const projected = bound.showsIds
    ? { render: (value: Json) => stringifyJson(idOfShown(value)) }
    : content && at !== undefined
      ? createView({
          references,
          view,
          record: collection.record,
          hidden,
          isOfRemoval,
          isExact: isOfWrite && showsOnly(references, bound, view),
          sample: () => tools.sample(view, view.place),
        })
      : undefined;
  const shown = links ? links.rendering(projected) : projected;
  const isAround = at === undefined || at.length > 0 || bound.wrapper !== undefined;
  const around = content && isAround ? bodyAround(tools, content, at) : undefined;
  // The body of a recording is one that the API has sent.
  const isRecorded = document.root[RECORDED_REASONS] !== undefined;
  const body = isRecorded
    ? around
    : withoutFailures(references, content?.schema, { body: around, status: success.status });
  const element = createElement(tools, bound, body);
  const envelope = content && at !== undefined ? createEnvelope({ references, bound, body, element }) : undefined;
  const label = `${operation.method} ${operation.path.text}`;
  const recordCheck: RecordCheck = { label, check: tools.validator(view), rendering: shown, seen: new WeakSet() };
  const bodyCheck: BodyCheck = {
    label,
    check: once((): FindViolations => (content?.schema ? tools.validator(content.schema) : () => [])),
    count: 0,
  };
  const isPlain = content === undefined || /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$|\*/i.test(content.type);
  return {
    status: success.status,
    mark: tools.mark,
    headers: createFixedHeaders(tools, bound),
    type: isPlain ? undefined : content.type,
    hasBody: content !== undefined,
    envelope,
    isListOfOne: bound.isListOfOne,
    element,
    rendering: element ? wrapping(element, shown) : shown,
    noticeOfNew:
      ["create", "replace", "patch"].includes(bound.action) && at === undefined
        ? createNewRecordNotice(references, collection, { schema: content?.schema, body })
        : undefined,
    fixed:
      content && at === undefined && body !== undefined
        ? stringifyJson(isOfRemoval ? ofRemoval(body) : body)
        : undefined,
    textOf: shown ? (record) => record.textIn(shown) : (record) => record.text,
    watch: (records) => {
      if (records.some((record) => !recordCheck.seen.has(record))) watch.records(recordCheck, records);
    },
    placed: links?.placed ?? ((json) => json),
    checked: (json) => {
      watch.body(bodyCheck, json);
      return json;
    },
  };
}

/** A whole body; of several alternatives, that which has the record or the list. */
function bodyAround(
  { document: { references }, bodyFor, sample }: OperationContext,
  content: MediaContent,
  [name]: readonly string[] = [],
): Json | undefined {
  const body = bodyFor(content);
  const { schema } = content;
  if (name === undefined || !schema || (isJsonObject(body) && Object.hasOwn(body, name))) return body;
  const leaves = leavesOf(references, schema);
  const leaf = leaves.find((one) => schemaFields(references, one)?.properties.has(name));
  return (leaf && leaves.length > 1 ? sample(leaf, leaf.place) : undefined) ?? body;
}

/** Whether the examples of a response have no fields but those of its schema. */
function showsOnly(references: References, bound: BoundOperation, view: Placed): boolean {
  const shown = bound.content?.examples.length === 0 ? [] : recordsInExamples(references, bound);
  const fields = schemaFields(references, view)?.properties;
  return (
    fields !== undefined && shown.length > 0 && shown.every((one) => Object.keys(one).every((name) => fields.has(name)))
  );
}

/** A body that names the record that was created or removed, without being one. */
function noticeOf(
  { document: { references } }: OperationContext,
  { idKey }: BoundCollection,
  content: MediaContent | undefined,
): Placed | undefined {
  const schema = content?.schema;
  return schema && schemaFields(references, schema)?.properties.has(idKey) ? schema : undefined;
}

function wrapping(element: WrapElement, shown: Rendering | undefined): Rendering {
  return { render: (value) => element(shown ? shown.render(value) : stringifyJson(value)) };
}

/** The id, the keys of parents and the files, where the records of the document do not have them. */
export function hiddenFields(collection: BoundCollection): string[] {
  const { operations, idKey, ownKey, hidesId } = collection;
  const parents = operations.flatMap((one) => one.parents);
  const keys = parents.flatMap(({ field, isInRecord, isOfAll }) => (isInRecord || isOfAll ? [] : [field]));
  const files = [
    ...markFields(collection),
    ...fileFields(collection),
    ...(takesForms(collection) ? [FILES_FIELD] : []),
  ];
  return [...new Set([...(hidesId ? [idKey] : []), ...(ownKey === undefined ? [] : [ownKey]), ...keys, ...files])];
}
