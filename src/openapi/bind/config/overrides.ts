import { StartError } from "../../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { didYouMean } from "../../../base/nearest.ts";
import { ROLE_SETTINGS, type RoleOverrides, readRoleOverrides } from "./role-overrides.ts";

/** Corrections to what binding finds by itself, by the name of the collection. */
export interface BindOverrides {
  readonly collections: ReadonlyMap<string, BindOverride | false>;
  /** An error about one of them, which names the file and the key. */
  fail(collection: string, key: string, problem: string): StartError;
}

/** Corrections of one collection; everything else is found as usual. */
export interface BindOverride extends RoleOverrides {
  /** The path of the list. */
  readonly list?: string;
  /** The path of single records. */
  readonly item?: string;
  /** The paths of further lists of its records. */
  readonly lists?: readonly string[];
  /** The property that is the id. */
  readonly id?: string;
  /** The form of new ids, such as `cus_{random:14}`: what `id` says where it names no property. */
  readonly idForm?: string;
  /** Property names that lead to the list in its response; empty for the body itself. */
  readonly at?: readonly string[];
  /** The same for the record in the response of its own path. */
  readonly itemAt?: readonly string[];
}

/** Ids of this form are safe in paths, and never run out. */
const ID_FORM = /^[\w.~-]*(?:\{random:(?:[6-9]|[1-5]\d|6[0-4])\}[\w.~-]*)+$/;

const KEYS = ["list", "item", "lists", "id", "at", "itemAt", ...ROLE_SETTINGS];

/** Reads `bind` of the config file; a `StartError` names the file (`place`), the key and the allowed values. */
export function readBindOverrides(value: JsonObject | undefined, place: string): BindOverrides {
  const fail: BindOverrides["fail"] = (collection, key, problem) =>
    new StartError(`${place}: ${["bind", collection, key].filter((part) => part !== "").join(".")}: ${problem}`);
  const collections = new Map<string, BindOverride | false>();
  for (const [name, given] of Object.entries(value ?? {})) {
    collections.set(name, given === false ? false : readOverride(given, (key, problem) => fail(name, key, problem)));
  }
  return { collections, fail };
}

function readOverride(given: Json, fail: (key: string, problem: string) => StartError): BindOverride {
  if (!isJsonObject(given)) throw fail("", 'must be false or an object, such as { "id": "petId" }.');
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw fail(unknown, `is not a setting; allowed are ${KEYS.join(", ")}.${didYouMean(unknown, KEYS)}`);
  }
  const { lists: others, query, fields, ...texts } = given;
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value !== "string") throw fail(key, "must be a string.");
  }
  const lists = readLists(others, fail);
  const { list, item, id, at, itemAt } = texts as { [key in keyof BindOverride]?: string };
  for (const [key, path] of Object.entries({ list, item })) {
    if (path !== undefined && !path.startsWith("/"))
      throw fail(key, 'must be a path of the document, such as "/pets".');
  }
  if (id === "" || id === "__proto__") throw fail("id", 'must name a property, such as "petId".');
  const isForm = id?.includes("{") === true;
  if (isForm && !ID_FORM.test(id)) {
    throw fail(
      "id",
      `"${id}" is not a form of ids, such as "cus_{random:14}": letters, digits and {random:6} to {random:64}.`,
    );
  }
  return {
    ...(list !== undefined && { list }),
    ...(item !== undefined && { item }),
    ...(lists && { lists }),
    ...(id !== undefined && (isForm ? { idForm: id } : { id })),
    ...(at !== undefined && { at: namesIn(at) }),
    ...(itemAt !== undefined && { itemAt: namesIn(itemAt) }),
    ...readRoleOverrides(given, fail),
  };
}

function readLists(
  value: Json | undefined,
  fail: (key: string, problem: string) => StartError,
): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const paths = Array.isArray(value) ? value.filter((one) => typeof one === "string" && one.startsWith("/")) : [];
  if (!Array.isArray(value) || paths.length < value.length) {
    throw fail("lists", 'must be a list of paths of the document, such as ["/owners/{ownerId}/pets"].');
  }
  return paths.map(String);
}

function namesIn(path: string): string[] {
  return path === "" ? [] : path.split(".");
}
