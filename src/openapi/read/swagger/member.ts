import type { Json, JsonObject } from "../../../base/json/json.ts";
import { within } from "../../../schema/pointer.ts";
import { fileOf, type Placed } from "../../../schema/references.ts";
import { BY_PLACE } from "../files/location.ts";

/** A member of a value for use at another place: itself, or a reference to it where it stands in another file. */
export function memberElsewhere({ value, place }: Placed<JsonObject>, key: string, user: string): Json {
  if (fileOf(place) === fileOf(user)) return value[key]!;
  return { $ref: `${BY_PLACE}${within(place, key).replaceAll("%", "%25")}` };
}
