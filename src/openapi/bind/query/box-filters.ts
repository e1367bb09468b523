import type { Parameter } from "../../read/api-document.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, plainName } from "../words.ts";
import type { NamedFilter } from "./filter-names.ts";
import { leavesIn } from "./leaves.ts";

const LATITUDE = /^(?:lat|latitude)$/;
const LONGITUDE = /^(?:lng|lon|long|longitude)$/;
/** `boxLatitudeNW`, `min_lat`, `swLng`, `latitude_max` */
const CORNER =
  /^(?:box|bbox|boundingbox|bounds)?(nw|ne|sw|se|min|max|north|south|east|west)?(?:(lat)(?:itude)?|(?:lng|lon|longitude|long))(nw|ne|sw|se|min|max|north|south|east|west)?$/;
const SIDES = /^(?:north|south|east|west)$/;

/** The four sides of a box as ranges of the only place in a record, by the names of their parameters. */
export function boxFilters(
  shapes: Shapes,
  record: SchemaShape,
  parameters: readonly Pick<Parameter, "name">[],
): ReadonlyMap<string, NamedFilter> {
  const sides = parameters.flatMap(({ name }) => {
    const side = sideOf(plainName(name));
    const isOwn = side === undefined || findAlike(record.properties.keys(), name) !== undefined;
    return isOwn ? [] : [{ name, ...side }];
  });
  const isWhole = sides.length === 4 && new Set(sides.map((one) => `${one.isLatitude} ${one.operator}`)).size === 4;
  const leaves = isWhole ? leavesIn(shapes, record) : [];
  const [latitude, ...latitudes] = leaves.filter(({ key }) => LATITUDE.test(plainName(key)));
  const [longitude, ...longitudes] = leaves.filter(({ key }) => LONGITUDE.test(plainName(key)));
  if (!latitude || !longitude || latitudes.length + longitudes.length > 0) return new Map();
  return new Map(
    sides.map(({ name, isLatitude, operator }) => [
      name,
      { field: (isLatitude ? latitude : longitude).path, operator },
    ]),
  );
}

function sideOf(name: string): { readonly isLatitude: boolean; readonly operator: string } | undefined {
  const [, before, latitude, after] = CORNER.exec(name) ?? [];
  const edge = SIDES.test(name) ? name : (before ?? after);
  if (edge === undefined) return undefined;
  const isLatitude = SIDES.test(name) ? /^[ns]/.test(name) : latitude !== undefined;
  const isMost = edge === "max" || (isLatitude ? edge.startsWith("n") : /^(?:east|.e)$/.test(edge));
  return { isLatitude, operator: isMost ? "lte" : "gte" };
}
