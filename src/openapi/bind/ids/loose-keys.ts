import { isJsonObject } from "../../../base/json/json.ts";
import type { Placed } from "../../../schema/references.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, isSameNoun, nounOf, plainName, wordsIn } from "../words.ts";
import {
  findIdKey,
  HANDLES,
  idNameFor,
  isFlag,
  isIdLike,
  isNameBesideNumber,
  isOfRequest,
  type Naming,
} from "./id-key.ts";

/** Names of places in a row. */
const PLACES = ["number", "index", "position", "sequence", "step", "order"];
/** Words before `id` that do not say whose id it is. */
const OWN = ["ext", "external", "public", "unique", "global", "object", "resource", "entity", "record"];
const MIN_LETTERS = 4;
/** Words after the name of a field that say no more than what it is. */
const OF_OWNER = ["key", "address"];

/** `user.id` for `/members/{user_id}` and `/members/{selected_user}`, whose records have a `user`. */
export function fieldInPart(
  shapes: Shapes,
  records: readonly SchemaShape[],
  { parameter = "" }: Naming,
): readonly string[] | undefined {
  const words = wordsIn(parameter);
  const [owner, id] = isIdLike(words) ? [words.slice(0, -1), words.at(-1)] : [words, undefined];
  for (const record of records) {
    for (const segment of [owner.join(""), owner.at(-1) ?? "", `${owner.join("")}Info`]) {
      const name = findAlike(record.properties.keys(), segment);
      const part = name === undefined ? undefined : shapes.property(record, name);
      if (name === undefined || part?.kind !== "object") continue;
      const field = findIdKey(shapes, [part], { parameter: id, segment });
      if (field !== undefined) return [name, field];
    }
  }
  return undefined;
}

/** The property that has the same few values as a wildcard: `type` for `/rules/{rule}`. */
export function findKeyByValues(
  shapes: Shapes,
  records: readonly SchemaShape[],
  parameter: Placed | undefined,
): string | undefined {
  const values = parameter && valuesOf(shapes.of(parameter));
  if (values === undefined) return undefined;
  const same = records.flatMap((record) =>
    [...record.properties].flatMap(([name, schema]) => (valuesOf(shapes.of(schema)) === values ? [name] : [])),
  );
  const [key, ...others] = new Set(same);
  return others.length === 0 ? key : undefined;
}

/** The only field of records that has the very schema of a wildcard: `serialNo` for `{deviceId}`, both a `DeviceId`. */
export function findKeyByType(
  shapes: Shapes,
  records: readonly SchemaShape[],
  parameter: Placed | undefined,
): string | undefined {
  const type = parameter && shapes.of(parameter).schema.place;
  if (
    type === undefined ||
    !/^#\/(?:components|definitions)\//.test(type) ||
    records.some((record) => record.schema.place === type)
  )
    return undefined;
  const isSame = (schema: Placed): boolean => shapes.of(schema).schema.place === type && schema.place !== type;
  const same = records.flatMap(({ properties }) =>
    [...properties].flatMap(([name, schema]) => (isSame(schema) ? [name] : [])),
  );
  const [key, ...others] = new Set(same);
  return others.length === 0 ? key : undefined;
}

function valuesOf({ schema: { value } }: SchemaShape): string | undefined {
  return isJsonObject(value) && Array.isArray(value.enum) ? JSON.stringify(value.enum) : undefined;
}

/**
 * The property that a wildcard stands for where none is named like it. `isSure` is set if list and path send the same
 * record, so that one of its properties must be meant, or one that its schema does not name.
 */
export function findLooseKey(
  shapes: Shapes,
  records: readonly SchemaShape[],
  {
    naming,
    isSure,
    isOpaque = false,
    wildcard,
  }: {
    readonly naming: Naming;
    readonly isSure: boolean;
    /** Whether it is no name. */
    readonly isOpaque?: boolean;
    readonly wildcard?: Placed | undefined;
  },
): string | undefined {
  const { parameter } = naming;
  // A field that is named like the wildcard but cannot be compared is meant, and no other.
  const hasOther = records.some(({ properties }) => findAlike(properties.keys(), parameter ?? "") !== undefined);
  if (parameter === undefined || hasOther) return undefined;
  const idName = idNameFor(naming);
  const isOwn = idName === "id";
  for (const record of records) {
    const fits = (key: string): boolean =>
      shapes.isComparable(record, key) &&
      !isFlag(shapes, record, key) &&
      !isOfRequest(record, key) &&
      !isNameBesideNumber(shapes, [record], { key, wildcard });
    const find = (name: string): string | undefined => findAlike(record.properties.keys(), name, fits);
    const keys = [...record.properties.keys()].filter(fits);
    const found =
      firstOf(namesLike(parameter), find) ??
      (isSure ? (ownCode(shapes, record, naming) ?? keyLike(keys, parameter, find)) : undefined);
    const isOfServer = (key: string): boolean => shapes.property(record, key)?.isReadOnly === true;
    const [own, other] = keys.filter((key) => isIdLike(wordsIn(key).slice(-1)) && isOfServer(key));
    const handle =
      found ??
      (isSure && isOwn
        ? ((other === undefined ? own : undefined) ??
          requiredOwn(record, keys, naming) ??
          firstOf(isOpaque ? [] : HANDLES, find))
        : undefined);
    if (handle !== undefined) return handle;
    // `/country_specs/{country}`: what list and path both send has one id.
    const isNamed = wordsIn(parameter).some((word) => wordsIn(naming.segment).some((one) => isSameNoun(one, word)));
    const isHandle = isSure && isNamed && !isIdLike(wordsIn(parameter));
    const id = isHandle ? findIdKey(shapes, [record], { ...naming, parameter: undefined }) : undefined;
    if (id !== undefined) return id;
  }
  const isOpen = records.every(({ schema: { value } }) => isJsonObject(value) && value.additionalProperties !== false);
  if (!isSure || !isOpen) return undefined;
  const named = isOwn || !isIdLike(wordsIn(parameter)) ? idName : undefined;
  // `/pets/{ownerId}` of pets that have an id is about their owner.
  const hasOwnId = findIdKey(shapes, records, { ...naming, parameter: "id" }) !== undefined;
  return named ?? (hasOwnId ? undefined : parameter);
}

/** `ipaddress` of `/ip/{id}`, which records always have, unlike their `name`. */
function requiredOwn({ required }: SchemaShape, keys: readonly string[], { segment }: Naming): string | undefined {
  const noun = nounOf(segment);
  const [only, other] = keys.filter((key) => required.has(key) && plainName(key).startsWith(noun));
  const hasHandle = HANDLES.some((name) => required.has(name));
  return hasHandle || other !== undefined ? undefined : only;
}

/** `account`, which has a pattern, of `/accounts/{id}`. */
function ownCode(shapes: Shapes, record: SchemaShape, { parameter = "", segment }: Naming): string | undefined {
  const isCode = (key: string): boolean => {
    const { value } = shapes.property(record, key)?.schema ?? {};
    return isJsonObject(value) && value.pattern !== undefined;
  };
  return isIdLike(wordsIn(parameter)) ? findAlike(record.properties.keys(), nounOf(segment), isCode) : undefined;
}

/** `feature` for `{feature_name}`, `username` for `{user}`. */
export function namesLike(parameter: string): string[] {
  const words = wordsIn(parameter);
  const last = words.at(-1) ?? "";
  const owner = words.slice(0, -1).join("");
  const handles = ["id", ...HANDLES];
  return [
    ...(owner !== "" && [...handles, ...OF_OWNER].includes(last) ? [owner] : []),
    ...handles.map((one) => plainName(parameter) + one),
  ];
}

/** `remote_name` for `{name}`, `planId` for `{billingPlanId}`, `path` for `{filepath}`, `number` for `{index}`. */
function keyLike(
  keys: readonly string[],
  parameter: string,
  find: (name: string) => string | undefined,
): string | undefined {
  const wanted = plainName(parameter);
  const words = wordsIn(parameter);
  const isId = isIdLike(words);
  const end = keys.find((key) => {
    const name = plainName(key);
    if (isId) return OWN.includes(wordsIn(key)[0] ?? "") && wordsIn(key)[1] === "id";
    return (
      name.length >= MIN_LETTERS && wanted.length >= MIN_LETTERS && (name.endsWith(wanted) || wanted.endsWith(name))
    );
  });
  const longId = keys.find((key) => isId && wordsIn(key).length > 1 && wanted.endsWith(plainName(key)));
  if (end !== undefined || longId !== undefined) return longId ?? end;
  return PLACES.includes(nounOf(words.at(-1) ?? "")) ? firstOf(PLACES, find) : undefined;
}

function firstOf(names: readonly string[], find: (name: string) => string | undefined): string | undefined {
  for (const name of names) {
    const found = find(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
