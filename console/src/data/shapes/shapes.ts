import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import type { KnownField } from "../table/columns.ts";
import type { Looks } from "../table/looks.ts";

/** A way to look at the records of a collection other than a table: `gallery`, `board:status`, `map`. */
export interface ShapeFields {
  /** A field with the address of a picture, or with a file that is one. */
  readonly picture: string | undefined;
  /** Fields with a few values. */
  readonly choices: readonly string[];
  readonly place: PlaceFields | undefined;
}

/** The paths to a latitude and a longitude. */
export interface PlaceFields {
  readonly lat: string;
  readonly lon: string;
}

/** The fields of a collection that decide which views it has. */
export function shapeFieldsOf(looks: Looks, fields: readonly KnownField[]): ShapeFields {
  const named = (kind: "image" | "badge"): string[] =>
    [...looks].flatMap(([name, look]) => (look.kind === kind ? [name] : []));
  const files = [...looks].flatMap(([name, look]) => (look.kind === "file" && look.isPicture ? [name] : []));
  return { picture: [...named("image"), ...files][0], choices: named("badge"), place: placeFieldsOf(fields) };
}

const LAT = /^(.*\.)?(lat|latitude)$/i;
const LONS = ["lon", "lng", "long", "longitude"];

function placeFieldsOf(fields: readonly KnownField[]): PlaceFields | undefined {
  const numbers = fields.filter(({ kind, isMany }) => kind === "number" && !isMany).map(({ name }) => name);
  for (const lat of numbers) {
    const [, prefix = ""] = LAT.exec(lat) ?? [undefined, undefined];
    const lon =
      LAT.test(lat) &&
      numbers.find((name) => LONS.some((one) => name.toLowerCase() === `${prefix}${one}`.toLowerCase()));
    if (lon) return { lat, lon };
  }
  return undefined;
}

/** The value at a path such as `place.lat`. */
export function valueAt(record: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(record, path)) return record[path];
  return path
    .split(".")
    .reduce<Json | undefined>((value, key) => (isJsonObject(value) ? value[key] : undefined), record);
}

/** The forms that records with these fields can be shown in, by the names in the page's address. */
export function shapesOf({
  picture,
  choices,
  place,
}: ShapeFields): readonly (readonly [shape: string, name: string])[] {
  return [
    ...(picture === undefined ? [] : [["gallery", "Gallery"] as const]),
    ...(choices[0] === undefined ? [] : [[`board:${choices[0]}`, "Board"] as const]),
    ...(place ? [["map", "Map"] as const] : []),
  ];
}

/** The form that is asked for, if the records have it. */
export function shapeFor(shape: string | undefined, fields: ShapeFields): string | undefined {
  const boards = fields.choices.map((name) => `board:${name}`);
  return [...shapesOf(fields).map(([one]) => one), ...boards].find((one) => one === shape);
}
