import {
  type Coordinates,
  cosine,
  DECIMAL,
  HALF,
  LATITUDES,
  LONGITUDES,
  MAX_LATITUDE,
  MAX_LONGITUDE,
  MIN_ANGLE,
  SERIES,
} from "./distance.ts";
import type { Path } from "./path.ts";
import type { ConditionSql } from "./query.ts";

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
