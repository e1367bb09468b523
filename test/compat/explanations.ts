import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import type { Answer } from "./answer.ts";
import { ORIGIN } from "./ask.ts";
import { compareValues, relate, valueAt } from "./contract.ts";
import { type Next, restated, type World } from "./expectation.ts";
import { nameAt } from "./place.ts";
import { type Question, valuesOf, WINDOW, withoutParameters } from "./question.ts";

/** The response of a built-in route; where it is free, the actual one. */
export function builtInContent(name: string, { data, ours }: World): Json | undefined {
  if (name === "__rules") return {};
  const shown = isJsonObject(ours.json) ? ours.json : {};
  if (name === "health-check") return { ...shown, status: "ok" };
  if (name !== "stats") return shown;
  const collections = Object.keys(data).filter((member) => Array.isArray(data[member]));
  return Object.fromEntries(
    collections.map((member) => [member, { ...(shown[member] as JsonObject), count: (data[member] as Json[]).length }]),
  );
}

/** The id standin made up for the record at `position`, which must look like one and be new. */
export function randomIdIn({ ours, data }: World, position: number): string {
  const record = Array.isArray(ours.json) ? ours.json[position] : ours.json;
  const id = isJsonObject(record) ? record.id : undefined;
  const isNew = typeof id === "string" && /^[\dA-Za-z]{7}$/.test(id) && !JSON.stringify(data).includes(`"${id}"`);
  return isNew ? id : "a random id";
}

/** Asks for the record to be created at its plain path; the address it then has is the plain one, too. */
export async function createdPlainly(asked: Question, name: string, next: Next): Promise<Answer> {
  const isPlain = asked.path === `/${name}` && asked.search === "";
  const created = await next(isPlain ? asked : { ...asked, path: `/${name}`, search: "" });
  if (created.status !== 201 || !isJsonObject(created.json)) return created;
  const location = `${ORIGIN}/${name}/${encodeURIComponent(String(created.json.id))}`;
  return created.location === location ? created : { ...created, location };
}

export function relationsOf(asked: Question): { embed: string[]; expand: string[] } {
  return { embed: valuesOf(asked, "_embed"), expand: valuesOf(asked, "_expand") };
}

/** Asks without `_embed` and `_expand`, and adds what they ask for. */
export async function related(asked: Question, world: World, next: Next): Promise<Answer> {
  const plain = await restated(asked, withoutParameters(asked, "_embed", "_expand"), next);
  const name = nameAt(asked, world.data);
  if (plain.status !== 200 || name === undefined) return plain;
  const add = (record: JsonObject): JsonObject => relate(record, name, relationsOf(asked), world.data);
  const { json } = plain;
  return { ...plain, json: Array.isArray(json) ? json.map((one) => add(one as JsonObject)) : add(json as JsonObject) };
}

/** The names of a comma-separated parameter. */
export function listed(asked: Question, name: string): string[] {
  return valuesOf(asked, name).flatMap((value) => value.split(","));
}

/** Asks for all records in their own order, puts them in the contract's, and cuts out the window json-server would. */
export async function sorted(asked: Question, paths: readonly string[], next: Next): Promise<Answer> {
  const unsorted = withoutParameters(asked, "_sort", "_order");
  const whole = withoutParameters(unsorted, ...WINDOW);
  const cut = await restated(asked, unsorted, next);
  const shown = (await next(whole)).json as Json[];
  // Sorting uses the stored record, whatever is added to it.
  const stored = (await next(withoutParameters(whole, "_embed", "_expand"))).json as Json[];
  const orders = listed(asked, "_order");
  const positions = [...stored.keys()].sort((one, other) => {
    for (const [position, path] of paths.entries()) {
      const difference = compareValues(valueAt(stored[one]!, path), valueAt(stored[other]!, path));
      if (difference !== 0) return orders[position]?.toLowerCase() === "desc" ? -difference : difference;
    }
    return 0;
  });
  const window = cut.json as Json[];
  const from = shown.findIndex((record) => JSON.stringify(record) === JSON.stringify(window[0]));
  return { ...cut, json: positions.slice(from, from + window.length).map((position) => shown[position]!) };
}
