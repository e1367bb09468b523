import { cloneJson, isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { ONLY_LATER } from "../../../openapi/bind/config/own-bindings.ts";
import { plainName } from "../../../openapi/bind/words.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { once } from "../once.ts";
import { elementSchema, isMap, isNullable, keyword, leavesOf, recordFieldsOf, typesOf } from "../schema-fields.ts";
import { firstValue } from "./first-value.ts";
import { createRequiredForms } from "./required-forms.ts";
import { withSameIds } from "./same-ids.ts";
import { type Absence, absenceOf, chooserOf, chosenBy, emptied, isGenerated, OF_STATES } from "./server-fields.ts";
import {
  isNotYet,
  namedTimeWriter,
  OF_CHANGES,
  OF_CREATION,
  OF_PAST,
  patternedTimeWriter,
  type WriteTime,
} from "./time-fields.ts";
import { withTimesInOrder } from "./times-in-order.ts";

/** Names of values that no two records share. */
const IS_OWN = /(?:^|[_-]|[a-z](?=[A-Z]))(?:id|uuid|key|secret|token|sha|hash|sid|number)$/i;

/** The fields of records that the server fills in. */
export interface RecordFields {
  /** A new record, with everything that its schema requires or the server sets. */
  created(body: JsonObject): JsonObject;
  /** The names of fields that a new record gets made values in, unless they are sent. */
  made(sent: JsonObject): readonly string[];
  /** A changed record: fields that only the server sets keep their values unless they are given. */
  changed(before: Json, value: JsonObject): JsonObject;
  /** The fields of a request body that clients may set: those of its own schema, and what is not read-only. */
  writable(body: JsonObject, own: ReadonlySet<string>): JsonObject;
}

export interface RecordFieldsOptions {
  readonly references: References;
  readonly record: Placed;
  readonly idKey: string;
  /** The field with ids of our own, if there is one. */
  readonly ownKey: string | undefined;
  /** Stored fields that no request body has, such as the keys of parents. */
  readonly kept: readonly string[];
  readonly now: () => number;
  /** The fields that a request for a new record may have, by their plain names; undefined where the document does not say. */
  readonly sent: ReadonlyMap<string, Placed> | undefined;
  /** Makes a whole record; that of the document's examples without a purpose. */
  sample(purpose?: string): Json | undefined;
  /** Makes a part of one. */
  samplePart(schema: Placed, purpose: string): Json | undefined;
  passes(schema: Placed, value: Json): boolean;
  /** A new record as the document shows it. */
  shown(): JsonObject | undefined;
}

interface FilledField {
  readonly name: string;
  readonly default: Json | undefined;
  /** Writes a time in the form of the field; undefined for other fields. */
  readonly time: WriteTime | undefined;
  readonly isReadOnly: boolean;
  readonly isOfChanges: boolean;
  readonly schema: Placed;
  /** The value that new records have in it, and changed ones that lack it. */
  readonly ofNew: Absence;
  readonly ofChanged: Absence;
  /** Whether only the server can set it, although it is not read-only. */
  readonly isOfServer: boolean;
  /** The field that says whether a record has this one. */
  readonly chooser: string | undefined;
  readonly hasExample: boolean;
}

/** Creates the fields of a collection's records, when a record is first made or changed. */
export function createRecordFields(options: RecordFieldsOptions): RecordFields {
  const read = once(() => readRecordFields(options));
  return {
    created: (body) => read().created(body),
    made: (sent) => read().made(sent),
    changed: (before, value) => read().changed(before, value),
    writable: (body, own) => read().writable(body, own),
  };
}

function readRecordFields(options: RecordFieldsOptions): RecordFields {
  const { references, record, idKey, ownKey, kept, now, sent } = options;
  const fields = recordFieldsOf(references, record);
  const properties = fields?.properties ?? new Map<string, Placed>();
  const filled = [...properties].flatMap(([name, schema]): FilledField[] => {
    if ((name === idKey && ownKey === undefined) || keyword(references, schema, "writeOnly") === true) return [];
    const isReadOnly = keyword(references, schema, "readOnly") === true;
    const isRequired = fields?.required.has(name) ?? false;
    const given = sent?.get(plainName(name));
    const isOfServer = !isReadOnly && sent !== undefined && given === undefined;
    const mayBeNull = isNullable(references, schema);
    // A flag that records must have is not set by those who do not send it.
    const isFlag = isRequired && !mayBeNull && typesOf(references, schema)[0] === "boolean";
    const isBegun = isOfServer || isReadOnly || isFlag;
    const first = firstValue(references, { name, schema, sent: given, isOfServer: isBegun });
    // Documents name the usual value of a choice first.
    const choices = isRequired && !mayBeNull && given ? keyword(references, schema, "enum") : undefined;
    const [choice] = first === undefined && Array.isArray(choices) ? choices : [first];
    const usual = choice !== undefined && options.passes(schema, choice) ? choice : undefined;
    const isUsual = isReadOnly || usual !== undefined || isRequired;
    const isOfChanges = OF_CHANGES.test(name);
    const isOnlyChanged = !isUsual && !isOfServer && !mayBeNull;
    if (isOnlyChanged && !isOfChanges) return [];
    // Events of a new record, such as its start, have just happened.
    const isPast = (isOfServer || isReadOnly) && !mayBeNull && OF_PAST.test(name) && !isNotYet(name);
    const isOfNow = isOfChanges || OF_CREATION.test(name) || isPast;
    const time = isOfNow
      ? (namedTimeWriter(references, schema, name) ?? patternedTimeWriter(schema, options.passes))
      : undefined;
    // A field that could have been sent, but was not, is null where it may be.
    const ofNew =
      isOnlyChanged || (keyword(references, schema, ONLY_LATER) === true && !isRequired)
        ? "missing"
        : time || usual !== undefined
          ? "made"
          : isUsual || isOfServer
            ? absenceOf(references, { name, schema, isRequired })
            : "null";
    return [
      {
        name,
        default: usual,
        time,
        isReadOnly,
        isOfChanges,
        schema,
        ofNew,
        ofChanged: isUsual ? ofNew : "missing",
        isOfServer,
        chooser: isRequired ? undefined : chooserOf(references, properties, name),
        hasExample: ["example", "examples"].some((one) => keyword(references, schema, one) !== undefined),
      },
    ];
  });
  /** Documents may require a property that they forget to describe. */
  const undescribed = [...(fields?.required ?? [])].filter((name) => !properties.has(name) && name !== idKey);
  const example = once(() => options.sample());

  const id = fields?.properties.get(idKey);
  const isServersId = id !== undefined && keyword(references, id, "readOnly") === true;
  const ofServer = [
    ...filled.flatMap(({ name, isReadOnly }) => (isReadOnly ? [name] : [])),
    ...(isServersId ? [idKey] : []),
  ];

  const ofExample = once(() => options.shown());
  /** The value in the example of a new record, unless it belongs to that one alone. */
  const shownValue = (name: string): Json | undefined => {
    const held = IS_OWN.test(name) ? undefined : ofExample()?.[name];
    const own = ofExample()?.[idKey];
    const isOwn = own !== undefined && own !== null && JSON.stringify(held)?.includes(String(own));
    return held === undefined || held === null || Array.isArray(held) || isOwn ? undefined : held;
  };

  /** A list that was not sent has nothing in it, except what the server makes at once. */
  const newList = (name: string, schema: Placed, { made, owner }: { made: Json; owner: string }): Json => {
    const element = isGenerated(references, schema) ? elementSchema(references, schema) : undefined;
    if (!element) return emptied(references, schema, made);
    const [usual = element] = leavesOf(references, element);
    const part = options.samplePart(usual, `${usual.place}/${name}/${owner}`);
    return part !== undefined && options.passes(schema, [part]) ? [part] : emptied(references, schema, made);
  };

  const complete = (given: JsonObject, isNew: boolean): JsonObject => {
    const missing = filled.filter(({ name }) => !Object.hasOwn(given, name));
    const unknown = undescribed.filter((name) => !Object.hasOwn(given, name));
    if (missing.length + unknown.length === 0) return given;
    const value = { ...given };
    const own = given[ownKey ?? idKey];
    const other = once(() => options.sample(String(own)));
    for (const { name, default: usual, time, schema, chooser, ...field } of missing) {
      const absence = isNew ? field.ofNew : field.ofChanged;
      if (absence === "missing" || (chooser !== undefined && plainName(String(value[chooser])) !== plainName(name)))
        continue;
      const chosen = isNew ? chosenBy(references, { name, schema, properties }, given) : undefined;
      // Beside a number that each parent counts for itself, `id` is one of all records.
      const isOwnId = isNew && ownKey !== undefined && name === "id" && typesOf(references, schema)[0] === "integer";
      if (isOwnId && own !== undefined && options.passes(schema, own)) {
        value[name] = own;
        continue;
      }
      const begins = isNew && OF_STATES.test(name) ? shownValue(name) : undefined;
      if (chosen !== undefined) value[name] = chosen;
      else if (begins !== undefined && options.passes(schema, begins)) value[name] = begins;
      else if (usual !== undefined) value[name] = cloneJson(usual);
      else if (time) value[name] = time(now());
      else if (absence === "null") value[name] = null;
      else {
        const shown = isNew ? shownValue(name) : undefined;
        if (shown !== undefined && options.passes(schema, shown)) {
          value[name] = cloneJson(shown);
          continue;
        }
        const sample = field.hasExample && !IS_OWN.test(name) ? example() : other();
        const made = isJsonObject(sample) ? sample[name] : undefined;
        if (made === undefined) continue;
        if (isMap(references, schema) && !field.hasExample && options.passes(schema, {})) {
          value[name] = {};
          continue;
        }
        // A list that could have been sent, and was not, is empty as well.
        if (isNew && Array.isArray(made)) {
          const list = newList(name, schema, { made, owner: String(given[idKey]) });
          value[name] = cloneJson(options.passes(schema, list) ? list : made);
          continue;
        }
        const bare = field.isOfServer || field.isReadOnly ? emptied(references, schema, made) : made;
        value[name] = cloneJson(options.passes(schema, bare) ? bare : made);
      }
    }
    for (const name of unknown) {
      const sample = other();
      if (isJsonObject(sample) && sample[name] !== undefined) value[name] = sample[name];
    }
    return value;
  };

  const inForm = createRequiredForms(references, record, options);

  return {
    created: (body) => {
      const value = inForm(complete(body, true), String(body[ownKey ?? idKey]));
      return { ...withTimesInOrder(withSameIds(value, body), now()), ...body };
    },
    made: (given) =>
      filled.flatMap(({ name, ofNew, default: usual, time }) => {
        const isMade = ofNew === "made" && usual === undefined && !time;
        return isMade && !Object.hasOwn(given, name) ? [name] : [];
      }),
    changed: (before, given) => {
      const value = { ...given };
      const held = isJsonObject(before) ? before : {};
      const keep = (name: string): void => {
        if (!Object.hasOwn(value, name) && Object.hasOwn(held, name)) value[name] = held[name]!;
      };
      for (const name of kept) keep(name);
      for (const { name, isReadOnly, isOfServer, isOfChanges, time, ...field } of filled) {
        // What must be there, and was not sent, is better left as it is than made anew.
        if (isReadOnly || isOfServer || (field.ofChanged === "made" && field.default === undefined)) keep(name);
        // A time that was sent is meant, unless it is the one that was there.
        if (isOfChanges && time && Object.hasOwn(held, name) && value[name] === held[name]) value[name] = time(now());
      }
      return complete(value, false);
    },
    writable: (body, own) => {
      const given = ofServer.filter((name) => Object.hasOwn(body, name) && !own.has(name));
      if (given.length === 0) return body;
      const rest = { ...body };
      for (const name of given) delete rest[name];
      return rest;
    },
  };
}
