import { StandinError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { randomInt } from "../base/platform/crypto.ts";
import { createRandom, seedFor } from "../base/random.ts";

/** Clients and proxies reject longer addresses. Ids that a data file has already may be longer. */
const MAX_ID_LENGTH = 1000;

export type Id = string | number;

/** Generates an id that is not taken and, if it is a number, above `promised`. */
export type NewId = (promised: number, isTaken: (id: Id) => boolean) => Id;

/** The id of a record; undefined if it has none that could appear in a path. */
export function idOf(record: Json, idKey: string): Id | undefined {
  if (!isJsonObject(record) || !Object.hasOwn(record, idKey)) return undefined;
  const id = record[idKey];
  return typeof id === "number" || (typeof id === "string" && id !== "") ? id : undefined;
}

/** The warning about records without an id. */
export function withoutUsableId(count: number, idKey: string): string {
  const records = count === 1 ? "1 record has" : `${count} records have`;
  const they = count === 1 ? "It appears in lists, but has" : "They appear in lists, but have";
  return `${records} no usable "${idKey}". ${they} no URL.`;
}

/** Whether a URL can contain the text: one with a lone surrogate has no UTF-8 form. */
export function isAddressable(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** The id in a body; 0, null and "" count as none, as in 0.17. Throws ID_INVALID if it is not a valid id. */
export function idFromBody(body: JsonObject, idKey: string): Id | undefined {
  const id = Object.hasOwn(body, idKey) ? body[idKey] : undefined;
  if (id === undefined || id === null || id === 0 || id === "") return undefined;
  if (typeof id === "string") {
    if (isAddressable(id)) return id;
    throw new StandinError("ID_INVALID", `"${idKey}": ${JSON.stringify(id)} contains half of a surrogate pair.`);
  }
  if (typeof id !== "number" || !Number.isFinite(id)) {
    throw new StandinError("ID_INVALID", `"${idKey}" must be a string or a number, not ${describe(id)}.`);
  }
  if (Math.abs(id) > Number.MAX_SAFE_INTEGER) {
    throw new StandinError("ID_INVALID", `"${idKey}": ${id} is above ${Number.MAX_SAFE_INTEGER}; send it as a string.`);
  }
  return id;
}

/** The same for a record that is to be created, whose id must fit into an address. */
export function newIdFromBody(body: JsonObject, idKey: string): Id | undefined {
  const id = idFromBody(body, idKey);
  if (typeof id !== "string" || id.length <= MAX_ID_LENGTH) return id;
  throw new StandinError(
    "ID_INVALID",
    `"${idKey}" has ${id.length} characters; at most ${MAX_ID_LENGTH} are allowed, so that it fits into an address.`,
  );
}

/** The record with its id: at the position of the key in the body, otherwise last, as in 0.17. */
export function withId(body: JsonObject, idKey: string, id: Json): JsonObject {
  // Assigning is several times faster than spreading, but would set the prototype by this key.
  if (idKey === "__proto__" || Object.hasOwn(body, "__proto__")) return { ...body, [idKey]: id };
  const record: JsonObject = Object.assign({}, body);
  record[idKey] = id;
  return record;
}

/** The same key for an id and its text: 1 and "1" are the same record, "01" is another. */
export function lookupKey(id: Id): Id {
  if (typeof id === "number") return id;
  const number = Number(id);
  return Number.isFinite(number) && String(number) === id ? number : id;
}

export const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A short id for collections whose ids are texts. */
export function randomId(random: (below: number) => number = randomInt): string {
  return randomText(LETTERS, 7, random);
}

/** A text of letters drawn from an alphabet. */
export function randomText(letters: string, length: number, below: (limit: number) => number): string {
  let text = "";
  while (text.length < length) text += letters[below(letters.length)];
  return text;
}

/** An id that depends only on the seed and its purpose, so that it is the same in every run. */
export function seededId(seed: number, purpose: string): string {
  const random = createRandom(seedFor(seed, purpose));
  return randomId((below) => Math.floor(random() * below));
}

function describe(value: Json): string {
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : String(value);
}
