import { StartError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { didYouMean } from "../base/nearest.ts";
import {
  type CollectionSettings,
  ID_KINDS,
  type IdKind,
  type SettingsByCollection,
  type Timestamps,
} from "../store/collection-settings.ts";
import type { IdKeyOptions } from "../store/id-keys.ts";
import { isTooDeep } from "../store/nesting.ts";

const KEYS = ["idKey", "id", "timestamps", "defaults"];
const TIMESTAMP_KEYS = ["created", "updated"];
const DEFAULT_TIMESTAMPS: Timestamps = { created: "created_at", updated: "updated_at" };
/** Letters that a path has as they are. */
const PREFIX = /^prefix:[A-Za-z0-9._~-]{1,50}$/;

/** The form of `collections`, for editors. */
export const COLLECTIONS_SCHEMA: JsonObject = {
  additionalProperties: {
    type: "object",
    properties: {
      idKey: {
        description: "Name of the primary key field (default: that of the option id)",
        type: "string",
        minLength: 1,
      },
      id: {
        description: "The kind of new ids (default: as the ids that are there)",
        anyOf: [{ enum: [...ID_KINDS] }, { type: "string", pattern: PREFIX.source }],
      },
      timestamps: {
        description: "true keeps created_at and updated_at; an object names the fields to keep",
        anyOf: [
          { type: "boolean" },
          {
            type: "object",
            properties: { created: { type: "string", minLength: 1 }, updated: { type: "string", minLength: 1 } },
            additionalProperties: false,
          },
        ],
      },
      defaults: { description: "Values for fields that a new record lacks", type: "object" },
    },
    additionalProperties: false,
  },
};

/** Reads `collections` of the config file; a `StartError` names the file, the key and the allowed values. */
export function readCollections(
  collections: JsonObject | undefined,
  commonKey: string,
  file: string,
): SettingsByCollection {
  const settings = new Map<string, CollectionSettings>();
  for (const [name, value] of Object.entries(collections ?? {})) {
    const fail = (key: string, problem: string): StartError =>
      new StartError(`${file}: ${["collections", name, ...(key === "" ? [] : [key])].join(".")}: ${problem}`);
    if (!isJsonObject(value)) throw fail("", 'must be an object, such as { "id": "uuid" }.');
    const unknown = Object.keys(value).find((key) => !KEYS.includes(key));
    if (unknown !== undefined) {
      throw fail(unknown, `is not a setting; allowed are ${KEYS.join(", ")}.${didYouMean(unknown, KEYS)}`);
    }
    const givenKey = readIdKey(value.idKey, fail);
    const idKey = givenKey ?? commonKey;
    const timestamps = readTimestamps(value.timestamps, idKey, fail);
    settings.set(name, {
      idKey: givenKey,
      id: readId(value.id, fail),
      timestamps,
      defaults: readDefaults(value.defaults, [idKey, timestamps?.created, timestamps?.updated], fail),
    });
  }
  return settings;
}

type Fail = (key: string, problem: string) => StartError;

function readIdKey(value: Json | undefined, fail: Fail): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "" || value === "__proto__") {
    throw fail("idKey", 'must name a field, such as "petId".');
  }
  return value;
}

function readId(value: Json | undefined, fail: Fail): IdKind | undefined {
  if (value === undefined) return undefined;
  const isKnown = typeof value === "string" && ((ID_KINDS as readonly string[]).includes(value) || PREFIX.test(value));
  if (isKnown) return value as IdKind;
  const kinds = `${ID_KINDS.map((kind) => JSON.stringify(kind)).join(", ")} and "prefix:ord_"`;
  const near = typeof value === "string" ? didYouMean(value, ID_KINDS) : "";
  const rule = "A prefix is up to 50 letters, digits, dots, dashes, tildes and underscores.";
  throw fail("id", `${JSON.stringify(value)} is not a kind of id; allowed values are ${kinds}. ${rule}${near}`);
}

function readTimestamps(value: Json | undefined, idKey: string, fail: Fail): Timestamps | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return DEFAULT_TIMESTAMPS;
  if (!isJsonObject(value)) {
    throw fail("timestamps", 'must be true, false or { "created": "created_at", "updated": "updated_at" }.');
  }
  for (const [key, field] of Object.entries(value)) {
    const place = `timestamps.${key}`;
    if (!TIMESTAMP_KEYS.includes(key)) throw fail(place, `is not a setting; allowed are ${TIMESTAMP_KEYS.join(", ")}.`);
    if (typeof field !== "string" || field === "" || field === "__proto__") throw fail(place, "must name a field.");
    if (field === idKey) throw fail(place, `"${idKey}" is the primary key.`);
  }
  const { created, updated } = value as Timestamps;
  if (created !== undefined && created === updated) throw fail("timestamps", `names "${created}" twice.`);
  return { created, updated };
}

function readDefaults(
  value: Json | undefined,
  taken: readonly (string | undefined)[],
  fail: Fail,
): JsonObject | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw fail("defaults", 'must be an object, such as { "status": "new" }.');
  const wrong = Object.keys(value).find((field) => taken.includes(field) || field === "__proto__");
  if (wrong !== undefined) throw fail(`defaults.${wrong}`, "this field cannot have a default.");
  if (isTooDeep(value)) throw fail("defaults", "is nested too deeply.");
  return value;
}

/** Maps the options of a command to the primary keys of a store. */
export function readIdKeys(
  { id, collections }: { readonly id: string; readonly collections: JsonObject | undefined },
  configFile = "the config file",
): IdKeyOptions {
  return idKeysIn(id, readCollections(collections, id, configFile));
}

/** The primary keys of collections with these settings, and of all others. */
export function idKeysIn(idKey: string, settings: SettingsByCollection): IdKeyOptions {
  const keys = [...settings].flatMap(([name, one]) => (one.idKey === undefined ? [] : [[name, one.idKey] as const]));
  return { idKey, idKeys: Object.fromEntries(keys) };
}
