import { cloneJson } from "../../base/json/exact/clone.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { Placed, References } from "../../schema/references.ts";
import { once } from "./once.ts";
import { keyword, schemaFields } from "./schema-fields.ts";
import { timeWriter, type WriteTime } from "./time-fields.ts";

/** Names of times that change with every write; other times in a record stay. */
const OF_CHANGES =
  /^(updated|modified|changed|last_?(updated|modified|changed|edited))(_?(at|on|date|time|datetime))?$/i;
const OF_CREATION =
  /^(created|creation|inserted|added)(_?(at|on|date|time|datetime))?$|^(creation|created)_?(date|time)$/i;

/** The fields of records that the server fills in. */
export interface RecordFields {
  /** A new record, with everything that its schema requires or the server sets. */
  created(body: JsonObject): JsonObject;
  /** A changed record: fields that only the server sets keep their values unless they are given. */
  changed(before: Json, value: JsonObject): JsonObject;
  /** The fields of a request body that clients may set. */
  writable(body: JsonObject): JsonObject;
}

export interface RecordFieldsOptions {
  readonly references: References;
  readonly record: Placed;
  readonly idKey: string;
  /** Stored fields that no request body has, such as the keys of parents. */
  readonly kept: readonly string[];
  readonly now: () => number;
  /** Makes a whole record. */
  sample(purpose: string): Json | undefined;
}

interface FilledField {
  readonly name: string;
  readonly default: Json | undefined;
  /** Writes a time in the form of the field; undefined for other fields. */
  readonly time: WriteTime | undefined;
  readonly isReadOnly: boolean;
  readonly isOfChanges: boolean;
}

/** Creates the fields of a collection's records, when a record is first made or changed. */
export function createRecordFields(options: RecordFieldsOptions): RecordFields {
  const read = once(() => readRecordFields(options));
  return {
    created: (body) => read().created(body),
    changed: (before, value) => read().changed(before, value),
    writable: (body) => read().writable(body),
  };
}

function readRecordFields(options: RecordFieldsOptions): RecordFields {
  const { references, record, idKey, kept, now } = options;
  const fields = schemaFields(references, record);
  const filled = [...(fields?.properties ?? [])].flatMap(([name, schema]): FilledField[] => {
    if (name === idKey) return [];
    const isReadOnly = keyword(references, schema, "readOnly") === true;
    const usual = keyword(references, schema, "default");
    if (!isReadOnly && usual === undefined && !fields!.required.has(name)) return [];
    if (keyword(references, schema, "writeOnly") === true) return [];
    const isOfChanges = OF_CHANGES.test(name);
    const time = isOfChanges || OF_CREATION.test(name) ? timeWriter(references, schema) : undefined;
    return [{ name, default: usual, time, isReadOnly, isOfChanges }];
  });

  const id = fields?.properties.get(idKey);
  const isServersId = id !== undefined && keyword(references, id, "readOnly") === true;
  const ofServer = [
    ...filled.flatMap(({ name, isReadOnly }) => (isReadOnly ? [name] : [])),
    ...(isServersId ? [idKey] : []),
  ];

  const complete = (given: JsonObject): JsonObject => {
    const missing = filled.filter(({ name }) => !Object.hasOwn(given, name));
    if (missing.length === 0) return given;
    const value = { ...given };
    let sample: Json | undefined;
    for (const { name, default: usual, time } of missing) {
      if (usual !== undefined) value[name] = cloneJson(usual);
      else if (time) value[name] = time(now());
      else {
        sample ??= options.sample(String(given[idKey])) ?? {};
        const made = isJsonObject(sample) ? sample[name] : undefined;
        if (made !== undefined) value[name] = made;
      }
    }
    return value;
  };

  return {
    created: complete,
    changed: (before, given) => {
      const value = { ...given };
      const held = isJsonObject(before) ? before : {};
      const keep = (name: string): void => {
        if (!Object.hasOwn(value, name) && Object.hasOwn(held, name)) value[name] = held[name]!;
      };
      for (const name of kept) keep(name);
      for (const { name, isReadOnly, isOfChanges, time } of filled) {
        if (isReadOnly) keep(name);
        // A time that was sent is meant, unless it is the one that was there.
        if (isOfChanges && time && Object.hasOwn(held, name) && value[name] === held[name]) value[name] = time(now());
      }
      return complete(value);
    },
    writable: (body) => {
      const given = ofServer.filter((name) => Object.hasOwn(body, name));
      if (given.length === 0) return body;
      const own = { ...body };
      for (const name of given) delete own[name];
      return own;
    },
  };
}
