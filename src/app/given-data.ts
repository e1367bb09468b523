import { StandinError } from "../base/errors.ts";
import { type JsonObject, parseJson, toJson } from "../base/json/json.ts";

/** The data itself, or a function that loads it when it is needed: the data, or a response with it. */
export type GivenData<D extends object = JsonObject> = D | (() => D | Response | Promise<D | Response>);

/** Numbers of a response keep all of their digits. */
export async function loadGivenData(given: GivenData<object>): Promise<JsonObject> {
  const loaded: unknown = typeof given === "function" ? await given() : given;
  if (!(loaded instanceof Response)) return toJson(loaded) as JsonObject;
  if (loaded.ok) return parseJson(await loaded.text()) as JsonObject;
  throw new StandinError("MOCK_UNAVAILABLE", `${loaded.url} responds ${loaded.status}, so there is no data.`);
}
