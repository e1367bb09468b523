import { isJsonObject } from "../../../base/json/json.ts";
import type { ApiDocument } from "../../read/api-document.ts";
import { type BindOverrides, readBindOverrides } from "./overrides.ts";

/** The section of a document, such as a recorded one, that says itself what its collections are: as `bind` of the config. */
export const OWN_BINDINGS = "x-standin-bind";
/** Why it says so: by collection or path, and by guess. */
export const RECORDED_REASONS = "x-standin-reasons";
/** Set on properties that records have only later: no new record was seen with them. */
export const ONLY_LATER = "x-standin-later";

/** The corrections of a document itself, over which those of the config win. */
export function withOwnBindings({ root, file }: ApiDocument, given: BindOverrides | undefined): BindOverrides {
  const section = root[OWN_BINDINGS];
  const own = readBindOverrides(isJsonObject(section) ? section : undefined, `${file}: ${OWN_BINDINGS}`);
  if (!given) return own;
  const collections = new Map(own.collections);
  for (const [name, override] of given.collections) {
    const known = collections.get(name);
    collections.set(name, override === false || !known ? override : { ...known, ...override });
  }
  return { collections, fail: given.collections.size > 0 ? given.fail : own.fail };
}

/** The reasons that a recorded document gives for a collection, by guess. */
export function recordedReasons({ root }: Pick<ApiDocument, "root">, collection: string): ReadonlyMap<string, string> {
  const section = root[RECORDED_REASONS];
  const own = isJsonObject(section) ? section[collection] : undefined;
  const texts = Object.entries(isJsonObject(own) ? own : {});
  return new Map(texts.flatMap(([guess, why]): [string, string][] => (typeof why === "string" ? [[guess, why]] : [])));
}
