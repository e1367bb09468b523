import { StandinError } from "../../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { randomInt } from "../../../base/platform/crypto.ts";
import type { PathParts } from "../../../http/contract.ts";
import type { BoundCollection, BoundOperation, ParentKey } from "../../../openapi/bind/binding.ts";
import { isGlobalId } from "../../../openapi/bind/ids/own-keys.ts";
import { plainName } from "../../../openapi/bind/words.ts";
import { equality } from "../../../query/operators/eq.ts";
import { parsePath, valueAt } from "../../../query/path.ts";
import type { Filter } from "../../../query/query.ts";
import { type Id, idOf, randomId } from "../../../store/ids.ts";
import { slice } from "../../../store/slice.ts";
import type { Store } from "../../../store/store.ts";
import type { OperationContext } from "../operation-context.ts";
import { deepestParents, ofParent, ofParents, pathOf } from "../parents/parents.ts";
import { recordFieldsOf, typesOf } from "../schema-fields.ts";
import type { Settle } from "./create-planned.ts";
import { namesOfNewKey, requestFields } from "./record-mapping.ts";

const MAX_TRIES = 100;
const MAX_SLOT = 2 ** 31;

/** Checks and makes the keys of new records where only records of the same parents have different ones. */
export interface NewKeys {
  /** Refuses a key that another record of the same parents has; makes the next one where none was sent. */
  settle(parts: PathParts): Settle;
  isTaken(store: Store, wanted: Wanted): Promise<boolean>;
  /** The body of a change with the key that the record `own` may have by it; refuses one that another record has. */
  renamed(store: Store, change: Renaming): Promise<Json | undefined>;
}

interface Wanted {
  readonly key: string;
  readonly record: JsonObject;
  readonly parts: PathParts;
  /** The id of our own of the record that may have it. */
  readonly except?: string;
}

interface Renaming {
  readonly sent: Json | undefined;
  readonly parts: PathParts;
  readonly own: string;
}

/** Prepares that for an operation; undefined where the ids of a collection are its own. */
export function createNewKeys(
  { document: { references }, keysOf }: Pick<OperationContext, "document" | "keysOf">,
  collection: BoundCollection,
  bound: BoundOperation,
): NewKeys | undefined {
  const { name, idKey, ownKey } = collection;
  if (ownKey === undefined) return undefined;
  const schema = recordFieldsOf(references, collection.record)?.properties.get(idKey);
  const types = schema ? typesOf(references, schema) : [];
  const isNumber = types.includes("integer") || types.includes("number");
  const path = parsePath(idKey);
  const withKey = (key: Id): Filter => ({ ...equality(path, [String(key)]), isFromPath: true });
  const among = (record: JsonObject, parts: PathParts): Filter[] => {
    const given = bound.parents.length > 0 ? ofParents(bound, parts)?.filter : undefined;
    return given ? [given] : parentsIn(record, deepestParents(collection));
  };
  const refusal = (key: Id): StandinError =>
    new StandinError("ID_TAKEN", `${name} already has a record with ${idKey} ${JSON.stringify(key)} below this path.`);
  const isTaken = async (store: Store, { key, record, parts, except }: Wanted): Promise<boolean> => {
    const where = [withKey(key), ...among(record, parts)];
    const { records } = await store.find(name, { ...slice(0, 2), where });
    return records.some(({ value }) => String(idOf(value, ownKey)) !== except);
  };
  // A number and the id of something else stay; so does a name that no request says.
  const sent = requestFields(references, bound)?.properties;
  const names = [plainName(idKey), ...namesOfNewKey(collection)];
  const isSent = sent === undefined || [...sent.keys()].some((one) => names.includes(plainName(one)));
  const mayChange = !isNumber && !isGlobalId(idKey) && isSent;
  return {
    settle: (parts) =>
      function* settle({ [ownKey]: _, ...body }, data) {
        const record: JsonObject = body;
        const key = idOf(record, idKey);
        const where = among(record, parts);
        const isHeld = function* (one: Id) {
          return (yield* data.matching(name, { where: [withKey(one), ...where], search: "" })).length > 0;
        };
        if (key !== undefined && key !== 0) {
          if (yield* isHeld(key)) throw refusal(key);
          return record;
        }
        if (isNumber) {
          const others = yield* data.matching(name, { where: isGlobalId(idKey) ? [] : where, search: "" });
          const numbers = others.map(({ value }) => Number(idOf(value, idKey))).filter(Number.isSafeInteger);
          return { ...record, [idKey]: numbers.reduce((most, one) => Math.max(most, one), 0) + 1 };
        }
        const forms = keysOf(name);
        for (let attempt = 0; ; attempt++) {
          const place = { collection: name, slot: randomInt(MAX_SLOT), attempt };
          const made = typeof forms === "object" && attempt < MAX_TRIES ? forms.next(place) : randomId();
          if (!(yield* isHeld(made))) return { ...record, [idKey]: made };
        }
      },
    isTaken,
    async renamed(store, { sent, parts, own }) {
      if (!isJsonObject(sent) || !Object.hasOwn(sent, idKey)) return sent;
      const key = idOf(sent, idKey);
      if (key !== undefined && mayChange) {
        const held = await store.get(name, own);
        const record = { ...(isJsonObject(held?.value) && held.value), ...sent };
        if (await isTaken(store, { key: String(key), record, parts, except: own })) throw refusal(key);
        return sent;
      }
      const { [idKey]: _, ...body } = sent;
      return body;
    },
  };
}

/** The records with the same parents as this one, where a path does not say which. */
function parentsIn(record: JsonObject, parents: readonly ParentKey[]): Filter[] {
  return parents.flatMap((parent) => {
    const held = parent.isOfAll ? undefined : valueAt(record, pathOf(parent));
    return typeof held === "string" || typeof held === "number" ? [ofParent(parent, String(held))] : [];
  });
}
