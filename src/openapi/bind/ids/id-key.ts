import { isJsonObject } from "../../../base/json/json.ts";
import type { Placed } from "../../../schema/references.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, nounOf, plainName, singularOf, wordsIn } from "../words.ts";

/** Names of ids. */
const SURE_IDS = ["id", "_id", "uuid", "guid", "uid", "sid", "gid", "oid", "pk", "@id"];
/** Those that say more than `id`. */
const SPECIAL_IDS = ["uuid", "guid", "uid", "sid", "gid"];
/** Names that may be those of ids. */
const OTHER_IDS = ["entityId", "objectId", "resourceId", "recordId", "identifier", "key", "ref"];
/** Names by which people address things that have no id. */
export const HANDLES: readonly string[] = ["slug", "code", "name", "number", "username", "login", "handle"];
/** Names of wildcards for states of a repository, and of the fields that have them. */
const REVISIONS = ["ref", "revision", "commit", "sha", "hash"];
const HASHES = ["sha", "hash"];
/** So many letters of a noun are no other noun. */
const MIN_END = 4;
const MIN_START = 3;
/** "The unique object ID" */
const OF_ID = /\bunique (?:\w+ ){0,3}(?:id|identifier)\b/i;
/** Words that end the name of a schema and say nothing. */
const TAILS =
  /(?:dto|response|resource|model|entity|schema|view|object|item|representation|details?|full|output|info)$/i;

/** A wildcard and what its path calls the thing. */
export interface Naming {
  /** Undefined where no path names a single record. */
  readonly parameter: string | undefined;
  /** The last fixed segment of the list's path. */
  readonly segment: string;
}

/**
 * The property of a record that a path's wildcard stands for: of the same name, `id` for `petId`, `petId` for `id`,
 * `name` for `petName`, and for `{pet}` the usual names of ids. Undefined where none fits.
 */
export function findIdKey(shapes: Shapes, records: readonly SchemaShape[], naming: Naming): string | undefined {
  const special = specialId(naming);
  if (special !== undefined && records.some((record) => isScalar(shapes, record, special))) return special;
  const found = records.flatMap((record) => idKeyIn(shapes, record, naming) ?? []);
  const [first] = found;
  const isSure = first !== undefined && !HANDLES.includes(plainName(first));
  const isOfId = first === undefined || isIdLike(wordsIn(naming.parameter ?? ""));
  const short = isSure || !isOfId ? undefined : shortId(shapes, records, naming);
  if (short !== undefined) return short;
  if (first === undefined && naming.parameter === "id") return toldIdOf(shapes, records, nounOf(naming.segment));
  const isHandle =
    first !== undefined && HANDLES.includes(plainName(first)) && isIdLike(wordsIn(naming.parameter ?? ""));
  if (!isHandle || plainName(first) === plainName(naming.parameter ?? "")) return first;
  // A name is no id where another response has one, or a description tells of one.
  return found.find((key) => isIdLike(wordsIn(key))) ?? toldId(shapes, records) ?? first;
}

/** `certId` of `/certificates/{id}` */
function shortId(shapes: Shapes, records: readonly SchemaShape[], naming: Naming): string | undefined {
  if (idNameFor(naming) !== "id") return undefined;
  const all = records.flatMap((record) => [...record.properties.keys()].filter((key) => isScalar(shapes, record, key)));
  const [only, ...others] = new Set(all.filter((key) => isIdLike(wordsIn(key).slice(-1))));
  const [owner = "", id, more] = wordsIn(only ?? "");
  // The first property, described as an id, is that of the record: `mal_id`.
  const [firstKey] = records[0]?.properties.keys() ?? [];
  const isFirst = only !== undefined && only === firstKey && isToldId(shapes, records[0], only);
  const isOwn = isFirst || isEndOf(naming.segment, owner);
  return others.length === 0 && id === "id" && more === undefined && isOwn ? only : undefined;
}

/** "MyList ID" */
function isToldId(shapes: Shapes, record: SchemaShape | undefined, key: string): boolean {
  const { value } = (record && shapes.property(record, key)?.schema) ?? {};
  return isJsonObject(value) && /^(?:the )?(?:\w+ )?id\.?$/i.test(String(value.description));
}

/** `arcid` of archives: "Unique identifier of the archive" */
function toldIdOf(shapes: Shapes, records: readonly SchemaShape[], noun: string): string | undefined {
  const key = toldId(shapes, records);
  const shape = key === undefined ? undefined : records.flatMap((record) => shapes.property(record, key) ?? [])[0];
  const { value } = shape?.schema ?? {};
  const text = isJsonObject(value) ? String(value.description) : "";
  const [, owner = ""] = /\b(?:id|identifier) (?:for|of) (?:the|an?|this) ([\w' ]+)/i.exec(text) ?? [];
  return nounOf(wordsIn(owner).at(-1) ?? "") === noun ? key : undefined;
}

/** `OID`: "The unique object ID" */
function toldId(shapes: Shapes, records: readonly SchemaShape[]): string | undefined {
  const found = records.flatMap((record) =>
    [...record.properties.keys()].filter((key) => {
      const { value } = shapes.property(record, key)?.schema ?? {};
      const isTold = isJsonObject(value) && OF_ID.test(String(value.description));
      return isTold && isIdLike(wordsIn(key)) && isScalar(shapes, record, key);
    }),
  );
  const [only, ...others] = new Set(found);
  return others.length === 0 ? only : undefined;
}

function idKeyIn(shapes: Shapes, record: SchemaShape, naming: Naming): string | undefined {
  const keys = [...record.properties.keys()].filter((key) => !isOfRequest(record, key));
  const findOne = (name: string) => findAlike(keys, name, (key) => isScalar(shapes, record, key));
  const hasPart = (name: string) => findOne(name) === undefined && findAlike(keys, name) !== undefined;
  const findLong = (noun: string) => keys.find((key) => isLongId(wordsIn(key), noun) && isScalar(shapes, record, key));
  const findEnd = (words: readonly string[]) =>
    keys.find((key) => isLonger(wordsIn(key), words) && isScalar(shapes, record, key));
  const findStart = (words: readonly string[]) => {
    const [only, other] = keys.filter((key) => isLonger(wordsIn(key), words, 0) && isScalar(shapes, record, key));
    return other === undefined ? only : undefined;
  };
  return matchId({ findOne, findLong, findEnd, findStart, hasPart }, naming, record.name);
}

/** `{ "code": 1, "message": "Done" }` is about the request. */
export function isOfRequest({ properties }: SchemaShape, key: string): boolean {
  return key === "code" && properties.has("message");
}

/** Whether a wildcard stands for numbers, and the key for a name that is a text: it is no more than another name. */
export function isNameBesideNumber(
  shapes: Shapes,
  records: readonly SchemaShape[],
  { key, wildcard }: { readonly key: string; readonly wildcard: Placed | undefined },
): boolean {
  const areOnly = (shape: SchemaShape | undefined, types: readonly string[]): boolean =>
    shape !== undefined && shape.types.size > 0 && [...shape.types].every((type) => types.includes(type));
  if (!HANDLES.includes(key) || !wildcard || !areOnly(shapes.of(wildcard), ["integer", "number"])) return false;
  return records.every((record) => areOnly(shapes.property(record, key), ["string"]));
}

/** Whether a wildcard stands for numbers, such as `pk`, and the key for a UUID that records have besides. */
export function isUuidBesideNumber(
  shapes: Shapes,
  records: readonly SchemaShape[],
  { key, wildcard }: { readonly key: string; readonly wildcard: Placed | undefined },
): boolean {
  if (!wildcard || !shapes.of(wildcard).types.has("integer")) return false;
  return records.every((record) => shapes.property(record, key)?.format === "uuid");
}

/** `uid` for `{environment_uid}`, although one of two responses may have nothing but an `id`. */
function specialId({ parameter = "", segment }: Naming): string | undefined {
  const words = wordsIn(parameter);
  const [owner, end = ""] = [words.slice(0, -1).join(""), words.at(-1)];
  const isOwn = owner === "" || owner === nounOf(segment) || isEndOf(segment, owner);
  return isOwn && SPECIAL_IDS.includes(end) ? end : undefined;
}

interface RecordKeys {
  readonly findOne: (name: string) => string | undefined;
  /** `payrollCalendarID` for a calendar. */
  readonly findLong: (noun: string) => string | undefined;
  /** `batchItemUuid` for `itemUuid`. */
  readonly findEnd: (words: readonly string[]) => string | undefined;
  /** `template_id_master` for `template_id`, if it is the only one. */
  readonly findStart: (words: readonly string[]) => string | undefined;
  /** Whether there is a field of this name that is no single value. */
  readonly hasPart: (name: string) => boolean;
}

function matchId(
  { findOne, findLong, findEnd, findStart, hasPart }: RecordKeys,
  { parameter, segment }: Naming,
  schemaName: string | undefined,
): string | undefined {
  const nouns = [...new Set([nounOf(segment), nounOfSchema(schemaName)])].filter((noun) => noun !== "");
  const find = (names: readonly string[]): string | undefined => {
    for (const name of names) {
      const found = findOne(name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const withNouns = (names: readonly string[]): string[] =>
    names.flatMap((name) => [name, ...nouns.map((noun) => `${noun}${name}`)]);
  if (parameter === undefined) return find(withNouns(SURE_IDS));
  // `/clients/{id}/models/{id1}`: generators number wildcards that have the same name.
  const words = beforeOr(wordsIn(/id\d$/i.test(parameter) ? parameter.slice(0, -1) : parameter));
  const name = words.join("");
  // `{comment}` names the comment, not the text in its field `comment`.
  if (nouns.includes(singularOf(name)) || isEndOf(segment, name)) {
    const last = words.length > 1 ? words.slice(-1) : [];
    const isRevision = REVISIONS.includes(words.at(-1) ?? "");
    const handles = isRevision ? [...HASHES, ...OTHER_IDS, ...HANDLES] : [...OTHER_IDS, ...HANDLES];
    return find(withNouns(SURE_IDS)) ?? find([parameter, ...last, ...withNouns(handles)]);
  }
  const same = findOne(parameter);
  if (same !== undefined) return same;
  if (name === "username") {
    const login = find(["login", "handle", "nickname", "screenName"]);
    if (login !== undefined) return login;
  }
  const noun = nouns.find((one) => name.startsWith(one));
  const rest = noun === undefined ? (words.at(-1) ?? "") : name.slice(noun.length).replace(/^s(?=id$)/, "");
  if (isIdLike(words)) {
    const owner = words.slice(0, -1).join("");
    // `/favourites/{artistId}` of records with an `artist` is the id of that.
    if (noun === undefined && owner !== "" && hasPart(owner)) return undefined;
    const isNamed = noun !== undefined || isEndOf(segment, owner);
    const sure = find(withNouns([rest, ...SURE_IDS]));
    if (sure !== undefined || words.length === 1) return sure ?? find(withNouns(OTHER_IDS));
    const others = [...withNouns(OTHER_IDS), ...HANDLES];
    const last = words.at(-2) ?? "";
    // `{sampleDbId}` is no other `DbId`.
    const long = noun === undefined || noun.endsWith(last) ? findLong(last) : undefined;
    return isNamed ? (long ?? findStart(words) ?? find(others)) : findEnd(words);
  }
  // `{sandboxName}` may be `name`, and `{number}` `employeeNumber`.
  const named =
    find(withNouns(noun !== undefined || words.length > 1 ? [rest] : [name])) ??
    (rest === "handle" ? find(["username", "name", "slug"]) : undefined);
  return named ?? (REVISIONS.includes(words.at(-1) ?? "") ? find([...HASHES, "id"]) : undefined);
}

/** The noun for records in the name of their schema, without the package in front: `models.Pet`. */
export function nounOfSchema(name = ""): string {
  return nounOf(name.replace(/^.*\./, "").replace(TAILS, ""));
}

/** `{id_or_slug}` is the id. */
function beforeOr(words: readonly string[]): readonly string[] {
  const at = words.indexOf("or");
  return at > 0 && isIdLike(words.slice(0, at)) ? words.slice(0, at) : words;
}

/** A name for the id of records that have none, if the wildcard names one: `id` for `petId`, others for themselves. */
export function idNameFor({ parameter, segment }: Naming): string | undefined {
  if (parameter === undefined) return undefined;
  const all = wordsIn(parameter);
  // `{id_or_slug}` is that of `{id}`.
  const words = all.includes("or") ? all.slice(0, all.indexOf("or")) : all;
  const isId = isIdLike(words);
  const owner = (isId ? words.slice(0, -1) : words).join("");
  const name = segment.replace(/[-_.]v\d+$/i, "");
  if ((isId && owner === "") || owner === nounOf(name) || isEndOf(name, owner)) return "id";
  return isId || [...OTHER_IDS, ...HANDLES].includes(words.at(-1) ?? "") ? parameter : undefined;
}

/** Whether a property is an id by its name alone. */
export function isSureId(key: string): boolean {
  return SURE_IDS.includes(key);
}

export function isIdLike(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  return (
    words.some((word) => ["id", "ids", "uuid", "guid", "uid", "pk", "identifier", "sid", "gid"].includes(word)) ||
    /(?:id|uuid|guid)$/.test(last)
  );
}

/** `{envvar}` below `/project-envvars`, `{scan}` below `/webscans`, `{org}` below `/organizations`. */
function isEndOf(segment: string, name: string): boolean {
  const [noun, own] = [singularOf(wordsIn(segment).at(-1) ?? ""), singularOf(name)];
  if (noun === own) return true;
  return (own.length >= MIN_END && noun.endsWith(own)) || (own.length >= MIN_START && noun.startsWith(own));
}

function isLongId(words: readonly string[], noun: string): boolean {
  return words.length > 1 && isIdLike(words.slice(-1)) && singularOf(words.at(-2) ?? "") === singularOf(noun);
}

function isLonger(words: readonly string[], part: readonly string[], from = -part.length): boolean {
  return words.length > part.length && part.every((word, at) => words.at(from + at) === word);
}

function isScalar(shapes: Shapes, record: SchemaShape, key: string): boolean {
  const shape = shapes.property(record, key);
  if (!shape) return false;
  if (shape.kind === "unknown") return true;
  return shape.kind === "scalar" && !isFlag(shapes, record, key);
}

/** Whether a property is nothing but true or false, which no path names. */
export function isFlag(shapes: Shapes, record: SchemaShape, key: string): boolean {
  const types = shapes.property(record, key)?.types;
  return types?.size === 1 && types.has("boolean");
}
