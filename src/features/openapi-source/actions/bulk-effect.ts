import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Handler, PathParts } from "../../../http/contract.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import { jsonContent } from "../../../openapi/bind/bodies/bodies.ts";
import { isSameNoun, nounOf, plainName, wordsIn } from "../../../openapi/bind/words.ts";
import type { Operation } from "../../../openapi/read/api-document.ts";
import { equality } from "../../../query/operators/eq.ts";
import { parsePath } from "../../../query/path.ts";
import type { Placed } from "../../../schema/references.ts";
import { idOf } from "../../../store/ids.ts";
import type { OperationContext } from "../operation-context.ts";
import { ofParents } from "../parents/parents.ts";
import { elementSchema, recordFieldsOf, schemaFields } from "../schema-fields.ts";
import { lastWord } from "../writes/bare-names.ts";
import { type ActionEffect, createActionEffect } from "./action-effect.ts";
import { writeAfter } from "./write-after.ts";

type Tools = Pick<OperationContext, "document" | "collections" | "now">;

/** What an operation does to several records of a collection, whose ids its body has. */
export interface Bulk {
  readonly collection: BoundCollection;
  /** An operation on the list, whose path is this one or the beginning of it. */
  readonly list: BoundOperation;
  /** The property of the body with the ids; undefined where the body is the list of them. */
  readonly sentIn: string | undefined;
  /** What becomes of each. */
  readonly deed: "remove" | ActionEffect;
  /** The fields of records that the body may set. */
  readonly fields: ReadonlyMap<string, Placed>;
}

const REMOVES = /^(?:delete|remove|destroy|purge)$/;
const UPDATES = /^(?:bulk|batch|update|edit)$/;
/** Words below a list that mean its records, and nothing about them. */
const SEVERAL = /^(?:bulk|batch|many|multiple|several|ids)$/;

/**
 * Lets operations change several records at once, although they respond with something else: `DELETE /records` with `ids`,
 * `PUT /workflows/archive` with `workflow_ids`. Unknown ids are ignored.
 */
export function createBulkEffect(
  tools: OperationContext,
  operation: Operation,
  respond: Handler<PathParts>,
): Handler<PathParts> | undefined {
  const found = bulkOf(tools, operation);
  if (!found) return undefined;
  const { collection, list, sentIn, deed, fields } = found;
  const { name, idKey, ownKey } = collection;
  const fieldsIn = (body: Json | undefined): JsonObject => {
    const own = Object.entries(isJsonObject(body) ? body : {}).filter(([field, value]) => {
      const schema = fields.get(field);
      return schema !== undefined && tools.passes(schema, value);
    });
    return Object.fromEntries(own);
  };
  return writeAfter(respond, {
    find: async () => undefined,
    async writeFor(_, { call, parts }) {
      const body = await call.body();
      const ids = textsOf(sentIn === undefined ? body : isJsonObject(body) ? body[sentIn] : undefined);
      if (ids.length === 0) return undefined;
      const changes = deed === "remove" ? undefined : { ...deed(), ...fieldsIn(body) };
      const own = { ...equality(parsePath(idKey), ids), isFromPath: true as const };
      const parents = ofParents(list, parts);
      const where = parents ? [own, parents.filter] : [own];
      return {
        kind: "transaction",
        members: [name],
        size: ids.length,
        *run(data) {
          for (const record of yield* data.matching(name, { where, search: "" })) {
            const id = String(idOf(record.value, ownKey ?? idKey));
            if (changes) yield* data.apply({ kind: "patch", collection: name, id, body: changes });
            else yield* data.apply({ kind: "remove", collection: name, id, dependents: [] });
          }
        },
      };
    },
  });
}

/** Undefined for operations that name no records in their body, or do nothing to them. */
export function bulkOf(tools: Tools, operation: Operation): Bulk | undefined {
  const schema = operation.method === "GET" ? undefined : jsonContent(operation.requestBody?.contents)?.schema;
  const found = schema && listAt(tools.collections, operation);
  if (!found) return undefined;
  const { references } = tools.document;
  const { collection, word } = found;
  const areScalars = (list: Placed): boolean => {
    const element = elementSchema(references, list);
    return element !== undefined && !schemaFields(references, element);
  };
  const sent = recordFieldsOf(references, schema)?.properties ?? new Map<string, Placed>();
  const names = [...sent].filter(([name, one]) => areScalars(one) && namesIds(name, collection)).map(([name]) => name);
  if (names.length > 1 || (names.length === 0 && !areScalars(schema))) return undefined;
  const record = recordFieldsOf(references, collection.record)?.properties ?? new Map<string, Placed>();
  const fields = new Map([...record].filter(([name]) => sent.has(name) && !names.includes(name)));
  const deed = deedOf(tools, operation, { collection, word, fields });
  return deed && { ...found, sentIn: names[0], deed, fields };
}

/** Undefined where neither the path nor the text says what becomes of the records. */
function deedOf(
  { document: { references }, now }: Tools,
  { method, summary, description = "" }: Operation,
  { collection, word, fields }: Pick<Bulk, "collection" | "fields"> & { readonly word: string },
): Bulk["deed"] | undefined {
  const words = wordsIn(word);
  const first = /^\w+/.exec(summary || description)?.[0].toLowerCase() ?? "";
  const others = words.filter((one) => !REMOVES.test(one) && !SEVERAL.test(one));
  // `/groups/remove-users` removes no groups.
  const areMeant = others.every((one) => isSameNoun(one, lastWord(collection.path)));
  if (method === "DELETE" || words.some((one) => REMOVES.test(one))) return areMeant ? "remove" : undefined;
  const effect = createActionEffect(references, collection.record, { name: word, now });
  if (word !== "" && Object.keys(effect()).length > 0) return effect;
  const isUpdate = [...words, first].some((one) => UPDATES.test(one)) && method !== "POST";
  return isUpdate && fields.size > 0 ? (): JsonObject => ({}) : undefined;
}

/** The list at a path, or one word above it. */
function listAt(
  collections: readonly BoundCollection[],
  { path }: Operation,
): (Pick<Bulk, "collection" | "list"> & { readonly word: string }) | undefined {
  const shape = path.shape.replace(/\/$/, "");
  const text = path.text.replace(/\/$/, "");
  const word = text.slice(text.lastIndexOf("/") + 1);
  if (word.endsWith("}")) return undefined;
  const above = shape.slice(0, shape.lastIndexOf("/"));
  for (const collection of collections) {
    const at = (wanted: string): BoundOperation | undefined =>
      collection.operations.find(
        (one) =>
          (one.action === "list" || one.action === "create") && one.operation.path.shape.replace(/\/$/, "") === wanted,
      );
    const own = at(shape);
    const list = own ?? at(above);
    if (list) return { collection, list, word: own ? "" : word };
  }
  return undefined;
}

/** `ids`, `record_ids`, `names` where those are ids, and `keys` of `/keys`. */
function namesIds(name: string, collection: BoundCollection): boolean {
  const segment = lastWord(collection.path);
  const noun = nounOf(wordsIn(segment).at(-1) ?? "");
  const plain = plainName(name);
  return (
    plain === "ids" ||
    plain === plainName(`${noun}ids`) ||
    isSameNoun(name, collection.idKey) ||
    isSameNoun(name, segment)
  );
}

function textsOf(sent: Json | undefined): string[] {
  return [sent ?? []].flat().flatMap((one) => (typeof one === "string" || typeof one === "number" ? String(one) : []));
}
