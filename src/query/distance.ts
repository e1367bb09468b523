import type { Json, JsonObject } from "../base/json/json.ts";
import type { Path } from "./path.ts";
import type { ConditionSql } from "./query.ts";

/**
 * Distances on a sphere by the haversine formula. Both stores compute by the same steps of plain arithmetic, which is exact
 * everywhere to the last bit, unlike the sines of libraries: they keep the same records, and sort them in the same order.
 */

/** A place, in degrees. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

const LATITUDES = ["lat", "latitude"];
const LONGITUDES = ["lon", "lng", "longitude"];
const MAX_LATITUDE = 90;
const MAX_LONGITUDE = 180;
/** Coordinates as texts, as some data has them. */
const DECIMAL = "^-?[0-9]{1,3}([.][0-9]{1,20})?$";
const decimal = new RegExp(DECIMAL);

/** The mean radius of the earth. */
const RADIUS_METRES = 6_371_008.8;
/** Half of an angle in degrees, in radians. */
const HALF = Math.PI / 360;
/** Smaller angles count as none: the database refuses products that are too small for a double. */
const MIN_ANGLE = 1e-12;
/** The series of the sine, exact enough for a double up to a right angle. */
const SERIES = [1];
for (let power = 3; power <= 23; power += 2) SERIES.push(-SERIES.at(-1)! / (power * (power - 1)));

/** The place that an object is; undefined if it has no such pair of coordinates. */
export function coordinatesOf(object: JsonObject): Coordinates | undefined {
  const latitude = coordinate(object, LATITUDES, MAX_LATITUDE);
  const longitude = coordinate(object, LONGITUDES, MAX_LONGITUDE);
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** Whether the numbers are those of a place. */
export function areOnEarth({ latitude, longitude }: Coordinates): boolean {
  return Math.abs(latitude) <= MAX_LATITUDE && Math.abs(longitude) <= MAX_LONGITUDE;
}

function coordinate(object: JsonObject, names: readonly string[], limit: number): number | undefined {
  for (const name of names) {
    const degrees = Object.hasOwn(object, name) ? degreesOf(object[name]!) : undefined;
    if (degrees !== undefined) return Math.abs(degrees) <= limit ? degrees : undefined;
  }
  return undefined;
}

function degreesOf(value: Json): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && decimal.test(value) ? Number(value) : undefined;
}

/** The haversine of the angle between two places: it grows with their distance, from 0 to 1. */
export function haversine(from: Coordinates, to: Coordinates): number {
  const north = sine(half(to.latitude - from.latitude));
  const east = sine(half(turn(to.longitude - from.longitude)));
  return north * north + cosine(from) * cosine(to) * (east * east);
}

/** The haversine of places that are this far away. */
export function haversineOf(metres: number): number {
  const side = sine(Math.min(metres / (2 * RADIUS_METRES), Math.PI / 2));
  return side * side;
}

function sine(x: number): number {
  const square = x * x;
  let sum = 0;
  for (let at = SERIES.length - 1; at >= 0; at--) sum = sum * square + SERIES[at]!;
  return x * sum;
}

/** The cosine of a latitude. */
function cosine({ latitude }: Coordinates): number {
  const side = sine(half(latitude));
  return 1 - 2 * (side * side);
}

function half(degrees: number): number {
  return Math.abs(degrees) < MIN_ANGLE ? 0 : degrees * HALF;
}

/** The shorter way around. */
function turn(degrees: number): number {
  return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
}

/**
 * The least haversine of the objects at a path, by the same steps; NULL where there is no place. OFFSET keeps the database
 * from putting the steps into each other, which would repeat each of them many times.
 */
export function haversineSql<F>({ sql, constant, objectsAt }: ConditionSql<F>, path: Path, from: Coordinates): F {
  const latitudes = constant(coordinateText(LATITUDES, MAX_LATITUDE));
  const longitudes = constant(coordinateText(LONGITUDES, MAX_LONGITUDE));
  return sql`(SELECT min(s.n * s.n + ${cosine(from)}::float8 * (1 - 2 * (s.l * s.l)) * (s.e * s.e))
    FROM ${objectsAt(path)},
    LATERAL (SELECT ${latitudes} AS l, ${longitudes} AS e OFFSET 0) AS p,
    LATERAL (SELECT p.l, p.l - ${from.latitude}::float8 AS n, p.e - ${from.longitude}::float8 AS e OFFSET 0) AS d,
    ${constant(STEPS)})`;
}

/** The steps from differences to sines: north, the latitude itself, east. */
const STEPS = [
  "(SELECT CASE WHEN d.e > 180 THEN d.e - 360 WHEN d.e < -180 THEN d.e + 360 ELSE d.e END AS e OFFSET 0) AS t",
  `(SELECT ${halfText("d.n")} AS n, ${halfText("d.l")} AS l, ${halfText("t.e")} AS e OFFSET 0) AS h`,
  "(SELECT h.n * h.n AS n, h.l * h.l AS l, h.e * h.e AS e OFFSET 0) AS q",
  `(SELECT ${["n", "l", "e"].map((name) => `h.${name} * ${seriesText(`q.${name}`)} AS ${name}`)} OFFSET 0) AS s`,
]
  .map((step) => `LATERAL ${step}`)
  .join(", ");

function halfText(degrees: string): string {
  return `CASE WHEN abs(${degrees}) < ${double(MIN_ANGLE)} THEN 0 ELSE ${degrees} * ${double(HALF)} END`;
}

function seriesText(square: string): string {
  return SERIES.reduceRight((sum, factor) => `(${sum} * ${square} + ${double(factor)})`, double(0));
}

function coordinateText(names: readonly string[], limit: number): string {
  const values = names.map((name) => {
    const value = `(o.value -> '${name}')`;
    return `CASE jsonb_typeof(${value}) WHEN 'number' THEN ${value}::float8
      WHEN 'string' THEN CASE WHEN ${value} #>> '{}' ~ '${DECIMAL}' THEN (${value} #>> '{}')::float8 END END`;
  });
  return `(SELECT CASE WHEN abs(c.value) <= ${limit} THEN c.value END FROM (SELECT coalesce(${values}) AS value) AS c)`;
}

function double(value: number): string {
  return `'${value}'::float8`;
}
